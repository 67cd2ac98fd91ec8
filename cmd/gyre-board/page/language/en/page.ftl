# The words of the page in English, as far as it needs them at first.
# page/language.js says how messages are used, and how to add one.
#
# For translators: where a message has the variable $side, it is w or b, and $sideName is "White"
# or "Black" as below. Use either, as your grammar needs. "Turn" is everything a player does until the other one plays: taking off
# rows, placing a marker and moving a ring. Turns such as e4-e8 and points such as f6 stay as
# they are. Keep the tags <b> and <i>, and the names in braces.

## Names of the sides, everywhere. White moves first.

white = White
black = Black

## The top of the page: the menu, and the buttons that open dialogs

on-gyre = on Gyre
# After "on Gyre" during a game with the rules called blitz
on-gyre-blitz = : blitz
menu =
    .aria-label = Menu
new-game = New game
# The same in a narrow window
new-game-narrow = New
games = Games
settings = Settings
help = Help

## Above the board: what to do next, and the button for a hint

game-area =
    .aria-label = Game
connecting = Connecting…
hint = Hint
    .title = Show where to look (h). A game with hints does not count toward your rating.
turn-steps =
    .aria-label = Steps of this turn
# In a game against a person at another browser
waiting-for-name = { $sideName }: waiting for { $name }.
waiting-for-side = { $sideName }: waiting for the other player.
# The same game was opened in another tab of this browser
game-handed-over = Your game is now open in another tab.
board =
    .aria-label = Board

# What to do next: in the line above the board and, without the side, in the tutorial and
# elsewhere. Screen readers read it, too.
prompt-of-side = { $sideName }: { $prompt }
# In a game against an engine
prompt-your-turn = { $sideName }, your turn: { $prompt }
# $number counts the player's rings, $count is how many each player has
ask-place = Place a ring ({ $number } of { $count }).
ask-move = Move one of your rings.
ask-target = Choose where { $point } goes.
ask-pass = None of your rings can move, so you pass.
# If the player wants to confirm turns
ask-confirm = Play this turn?
ask-row = Remove your row.
# There are more than five markers in a row, or rows cross
ask-five = Choose the five markers to remove.
ask-row-of = Remove a row ({ $number } of { $count }).
ask-ring = Now remove one of your rings.
# The opponent's turn has completed the player's row
ask-given-row = Your opponent completed your row. Remove it before you move.
ask-given-five = Your opponent completed your row. Choose the five markers to remove before you move.
ask-given-row-of = Your opponent completed your rows. Remove one before you move ({ $number } of { $count }).
ask-complete = The turn is complete.
over-result = The game is over. { $result }
looking-at-turn = You are looking at turn { $number } of the game. { $words }
looking-at-start = You are looking at the start of the game.
side-engine-stopped = { $sideName }: { $engine } has stopped. Restart it to continue.
side-thinking = { $sideName }: { $engine } is thinking…
back-to-game = Back to the game
play-on-here = Play from here
# In the title of the page
your-turn = Your turn

# The steps of a turn so far, in a few words each
step-place = Ring on { $to }
step-move = { $from } to { $to }
step-pass = Pass
step-row = Row { $first } to { $last }
step-ring = Ring on { $from }
# Between the steps of a turn
step-then = , then
step-take = removing the row { $first } to { $last } and the ring on { $ring }

# What a turn did, a sentence. $acts are the messages act- in order, with commas in between.
turn-sentence = { $sideName } { $acts }.
act-place = places a ring on { $to }
# $count is the number of markers flipped
act-move = { $count ->
    [0] moves { $from } to { $to }
    [one] moves { $from } to { $to }, flips one marker
   *[other] moves { $from } to { $to }, flips { $count } markers
  }
act-pass = passes because no ring can move
act-row = removes the row { $first } to { $last } and the ring on { $ring }

# How a game ended. $loser is the name of the other side.
result-wins = { $sideName } wins { $most }–{ $least }.
# A person beat an engine
result-you-win = You win { $most }–{ $least }!
result-you-lose = You lose { $least }–{ $most }.
result-you-resigned = You resigned.
result-draw = Draw { $most }–{ $least }.
result-time = { $loser } ran out of time: { $sideName } wins.
result-resignation = { $loser } resigned: { $sideName } wins.
# $why comes from a file and is not translated
result-wins-by = { $sideName } wins ({ $why }).
result-draw-by = Draw ({ $why }).

## On the board, read out by screen readers. A label is a point, what is on it, and what a click
## does, such as "f6, white ring, can move to 7 points".

point-white-ring = white ring
point-black-ring = black ring
point-white-marker = white marker
point-black-marker = black marker
point-vacant = vacant
press-places = place your ring here
press-picks = { $count ->
    [one] can move to one point
   *[other] can move to { $count } points
  }
picked = picked
# $count is the number of markers that the move flips
press-moves = { $count ->
    [0] move here
    [one] move here, flips one marker
   *[other] move here, flips { $count } markers
  }
press-row = in one of your rows
press-takes-row = in the selected row, press to remove it
press-takes-ring = remove this ring
press-confirms = press again to remove it
picked-point = { $point }, { $count ->
    [one] one target
   *[other] { $count } targets
  }.
confirm-ring = Remove the ring on { $point }? Press it again, or Remove.
nothing-to-choose = There is nothing to choose now.
choices-place = { $count ->
    [one] One vacant point for a ring.
   *[other] { $count } vacant points for a ring.
  }
choices-rings = { $sideName } rings that can move: { $points }.
choices-targets = From { $point }: { $targets }.
target-flips = { $point }, flips { $count }
choices-ring-for-row = Rings you can remove: { $points }.
choices-pass = No ring can move. Press Pass.
row-of-rows = Row { $number } of { $count }, { $first } to { $last }.
arrow-from = Arrow from { $point }: go to its end and press d again.
arrow-drawn = Arrow { $from } to { $to } drawn.
arrow-removed = Arrow { $from } to { $to } removed.
# Follows the number of markers in the pool, which is set in bold
markers-left = { $count ->
    [one] marker left
   *[other] markers left
  }

## Below the board: choices during a turn, and the buttons of the game

choices =
    .aria-label = Choice
choice-row = Row { $first } to { $last }
row-enter = Row { $first } to { $last }, Enter removes it.
choice-row-of = Row { $number } of { $count }: { $first } to { $last }
choice-ring = Ring on { $point }
choice-pass = None of your rings can move.
previous-row = Previous row
next-row = Next row
# Removes the selected row or ring from the board
take = Remove
take-row = Remove this row
take-ring = Remove this ring
pass = Pass
confirm = Play
# Takes back one step of the turn
step-back = Back
step-through =
    .aria-label = Step through the game
go-first =
    .aria-label = First position
    .title = First position (Home)
go-back =
    .aria-label = Back one turn
    .title = Back one turn (←)
go-forward =
    .aria-label = Forward one turn
    .title = Forward one turn (→)
go-last =
    .aria-label = Last position
    .title = Last position (End)
take-back = Take back
take-back-button =
    .title = Take back the last turn (u)
replay = Replay
replay-button =
    .title = Show the last turn again (r)
# In a frame of another site: a link to the whole page
full-board = Open the full board
# Rotates the board by half a turn
flip-board = Rotate
flip-board-button =
    .title = Rotate the board (f)
pause = Pause
pause-game = Pause the game
# Continues a paused game
play-on = Resume
resign = Resign
resign-again = Resign? Tap again.
# A notice, with the button Undo
has-resigned = { $sideName } has resigned.
taken-back = Turn taken back.
no-turn-played = No turn has been played.
turn-unfinished = Finish the turn first, or take its last step back with Esc.

## The two players, above the board

# The name of a person who plays an engine
you = You
name-you = { $name } (you)
thinking = thinking…
rings-won = { $count ->
    [one] { $rings } of { $count } ring won
   *[other] { $rings } of { $count } rings won
  }
clock-of = { $sideName }’s clock: { $time }

## The tabs of the panel next to the board

game-details =
    .aria-label = Game details
panels =
    .aria-label = Panels
tab-end = Result
tab-learn = Learn
# The badge on the tab Learn, for screen readers: the number of moments that are due
due-count = { $count } to repeat
tab-turns = Turns
tab-analysis = Analysis
tab-review = Review
tall-panel =
    .title = Enlarge the panel

## The tab Result, after a game

end-review = Review the game
end-challenge = Compare and send
moments = Your three moments
end-rematch = Rematch
end-other = Switch sides
end-level = Next level
end-level-named = Next level: { $level }
end-level-easier = Easier level: { $level }
turns = { $count ->
    [one] { $count } turn
   *[other] { $count } turns
  }
facts-markers = { $count ->
    [one] { $count } marker left
   *[other] { $count } markers left
  }
rules-name-standard = standard rules
rules-name-blitz = blitz rules

## The levels of an engine, weakest first: their names, and what they can do

level-beginner = Beginner
level-novice = Novice
level-casual = Casual
level-club = Club
level-strong = Strong
level-expert = Expert
level-full-strength = Full strength
about-level-beginner = Knows the rules and little else.
about-level-novice = Sees rows that are already there.
about-level-casual = Has a plan, but overlooks things.
about-level-club = Looks one turn ahead and makes fewer mistakes.
about-level-strong = Gives little away.
about-level-expert = Hard to beat.
about-level-full-strength = Plays as well as it can in the time it has.

## The tab Learn: its buttons, and the rules in short

learn-by-playing = Learn by playing
strategy = Strategy
puzzles = Puzzles
theme-day = Puzzle of the day
rush = Puzzle rush
challenge = Challenge a friend
moments-due = Moments to repeat
my-rating = My rating
rules-goal = <b>YINSH</b> is a game for two. Make rows of five markers in your color. Each row earns you one of your rings: the first to remove <b>three rings</b> wins.
rules-goal-blitz = <b>YINSH</b> is a game for two. Make a row of five markers in your color. It earns you one of your rings: the first to remove <b>one ring</b> wins.
rules-place = <b>Place.</b> White begins. The players take turns placing a <b>ring</b> on any free point, until each has placed five.
rules-move = <b>Move.</b> Then, on each turn, you move one of your rings along a line. It leaves a <b>marker</b> of your color where it was. A ring slides over any number of free points. It may also jump over markers, but must stop on the first free point behind them. It never passes another ring.
rules-flip = <b>Flip.</b> All jumped markers flip: white becomes black, black becomes white. The marker you just placed does not flip.
rules-row = <b>Row.</b> Five markers of your color in a row come off the board, and one of your rings with them. That ring is your point.
rules-rows = <b>Long and crossing rows.</b> If more than five markers are in a row, you choose five. If you have several rows, you remove them one at a time, with a ring each. A row that loses a marker to another is no longer a row.
rules-gift = <b>Your opponent’s rows.</b> If your turn completes a row of your opponent’s markers, they remove it, and a ring, at the start of their turn. Then they move as usual.
rules-win = <b>Win.</b> The first to remove <b>three</b> rings wins.
rules-win-blitz = <b>Win.</b> This is blitz: the first to remove <b>one</b> ring wins, so the first row decides.
rules-end = <b>No markers left.</b> If all 51 markers are on the board, the game ends: whoever has removed more rings wins, and equal numbers are a draw. If your turn completes the last row of both players, you win, because your row comes off first. If none of your rings can move, you pass.

# The pictures next to the rules
picture-place = Rings of both players on points where lines cross
picture-move = A ring has moved along a line and left a marker
picture-flip = A ring has jumped three markers, and all of them have flipped
picture-row = Five white markers in a row, and the white ring that comes off with them
picture-rows = Two rows of white markers that cross
picture-gift = A black ring has jumped a marker and completed a row of white markers
picture-win = Three white rings
picture-end = Two white rings and a black one

rules-watch = Two engines play; you watch.
rules-you-are = You are { $sideName }.
rules-both = You play both sides.
rules-click = Choose a ring to see where it can go, then choose a dot. The line in bold always says what to do next.

## The tab Analysis

# The title of the switch that turns the engine on
engine = Engine
line-count = Lines
# Shows what the opponent would do if it were their turn
threat = Threat
openings = Openings
analysis-off = Turn on the engine to see its score, its best lines, and arrows on the board.
analysis-locked = The engine, threats, openings and the review are locked until this game is over. Spectators have them.
engine-choice =
    .aria-label = Engines that analyze
engine-options = Engine options
option-threads = Threads
option-hash = Memory (MiB)
# Instead of lines
game-over = The game is over.
thinks-own-turn = Thinking about its own turn.
engine-busy = Busy
engine-thinking = Thinking…
engine-done = done
engine-taken = { $engine } is needed elsewhere
# Above an engine's lines. $depth is a number such as 9 or 9/14, $count one such as 12.3 k.
depth = depth { $depth }
nodes = { $count } nodes
nodes-per-second = { $count }/s
line-number = Line { $number }
whole-line = Show the whole line
# Other ways to finish the same move
or-turns = or { $turns }
threat-search = Looking for a threat…
threat-none = No threat.
threat-found = { $sideName } threatens { $turn }.
line-only-shown = The game is running, so the line is only shown. Pause the game to try it out.

## Scores: in the tabs Analysis and Review, next to the board, and in the graph of a game

# For screen readers. $score is short, such as +0.35; $words is one of the next two messages.
score-label = Score { $score }. { $words }
no-score-yet = No score yet
wins-in = { $count ->
    [one] { $sideName } wins in one turn
   *[other] { $sideName } wins in { $count } turns
  }
white-chances = White’s chances: { $share }
# The graph; pointing at it shows the text for a turn
graph-label = White’s chances during the game
graph-start = Start
graph-turn = Turn { $number }, { $turn }
graph-chances = { $share } for White ({ $score })
graph-no-score = no score
graph-lost = lost { $share }
label-inaccuracy = inaccuracy
label-mistake = mistake
label-blunder = blunder
analysis-time = Time per position
scores-are-whites = Scores and chances are White’s: White is ahead above zero and above { $half }.

## The tab Turns

turn-list =
    .aria-label = Turns of the game
no-turn-yet = No turn yet.
variation-from = Variation from turn { $number }
# Next to a turn, after a review: how much of the chances the turn lost
turn-lost = lost { $share }
row-missed = missed row
row-missed-title = A row was possible here
# A notice, with the button Undo
turns-deleted = Deleted the variation from turn { $number }.
not-a-turn = “{ $text }” is not a turn. Turns look like f6, e4-e8 or e4-e8;xe4-e8f6.
not-possible-now = { $text } is not possible now.
# Makes the shown variation the main line of the game
promote = Make main line
# Deletes the shown turn and everything after it
delete-turns = Delete from here
# The label of the field for a turn as text, and the button after it
turn-box = Turn
enter-turn = Play
note = Note on this turn

## The dialog for a new game

new-who = Players
new-engine = You and an engine
new-people = Two people
new-engines = Two engines
# A game against a person at another browser. Every turn is sent as a link.
new-link = A friend, by link
new-link-how = After each of your turns, you send your friend a link. It needs no server, and you can both take as long as you like.
# The same, but the server passes the turns on at once.
new-room = A friend, live
new-room-how = You send your friend one link. Then both of you see each turn at once, on two devices.
your-name = Your name
new-side = You play
new-against = Opponent
engine-of = Engine for { $sideName }
level-of = Level for { $sideName }
level-choice = { $level } ({ $elo })
# The rating of a level
level-elo = Elo { $elo }; random play is 0.
side-white-first = White, first
side-black = Black
side-random = Random
new-rules = Rules
rules-standard = Standard: three rings win
rules-blitz = Blitz: one ring wins
clock = Clock
clock-none = None
# The time for the game, and the seconds added for each turn
clock-choice = { $minutes } min + { $seconds } s
new-here = Start from the position on the board
match-of-engines = Engine match…
cancel = Cancel
new-start = Play

## Durations, wherever they are chosen

seconds = { $count } s
minutes = { $count } min
no-limit = No limit

## Notices above the board, and their buttons

close = Close
undo = Undo
try-again = Try again
reload = Reload the page
# $what is one of the next two messages
trying-again = { $what } Trying again…
lost-server = The connection to the board’s server was lost.
lost-program = The board’s program has stopped.
too-many-boards = Too many boards are open. Close another tab.
too-many-boards-share = Too many boards are open at your address. Close another tab.
too-many-engines = Too many engines are running. Close another tab.
too-many-engines-share = Too many engines are running for your address. Close another tab.
too-many-requests = Too many requests are waiting. Try again later.
program-fails = The board’s program does not run in this browser ({ $why }).
worker-missing = its worker cannot be loaded
downloading = Downloading the board’s program…
download = Download
download-interrupted = Download interrupted. It will resume when the network is back.
too-large = the message is too large for the board
too-large-of = the message is larger than { $most } KiB
engine-restarted = { $engine } crashed and was restarted ({ $reason }).
engine-stopped = { $engine } has stopped: { $reason }
engine-not-started = { $engine } cannot be started: { $reason }
restart-engine = Restart { $engine }
new-version = A new version of the board is available.
load-version = Load it
open-elsewhere = This game is open in another tab.
open-copy = Open a copy
continued-as-copy = Another tab has changed this game. It continues here as a copy.
nothing-stored = This browser blocks site data, so nothing is saved: games and settings last until you close or reload this tab.
link-damaged = This link is damaged. Copy it again, all of it.
# $reason is one of the messages storage-, not-allowed or error-other, here and below
game-not-stored = This game cannot be saved now: { $reason }. It is safe while this tab is open.
storage-full = the browser’s storage is full
storage-blocked = the browser blocks site data
storage-damaged = the browser’s database is damaged
not-allowed = the browser does not allow this
error-other = unexpected error ({ $error })
save-as-file = Save as file
repair = Repair the database
repaired = { $count ->
    [one] The database was repaired. One game was kept.
   *[other] The database was repaired. { $count } games were kept.
  }
repaired-lost = { $count ->
    [one] One game could not be read.
   *[other] { $count } games could not be read.
  }
not-repaired = The database cannot be repaired. Save this game as a file and delete this site’s data in the browser’s settings.
# $part is one of the messages part-, $reason one of those below or above
part-not-opened = { $part } cannot be opened: { $reason }.
part-not-loaded = { $part } cannot be loaded: { $reason }.
no-connection = there is no connection
other-version = the board has been updated
bad-answer = the server answered { $status }
# $type is the MIME type of a file, such as text/plain
bad-type = the server sends { $file } as { $type }, so the browser does not run it
part-tutorial = The tutorial
part-watch = The watch bar
part-review = The review
part-pictures = The pictures of the rules
part-sound = Sound
part-settings = Settings
part-games = The list of games
part-image = The picture dialog
part-worth = The values of targets
part-explorer = The opening explorer
part-editor = The position editor
part-coach = The coach
part-rating = Your rating
part-strategy = The strategy lessons
part-puzzles = The puzzles
part-rush = The puzzle rush
part-challenge = The challenge
part-moments = Your three moments
part-due = The moments to repeat
part-reviews = The review of several games
part-match = The engine match
part-offers = The offers after a game
part-remote = The game against a person elsewhere
part-help = Help

## What is wrong with a text or position. These follow a colon, in the middle of a sentence;
## $column is a letter, $row is such as b3-b7, $sign and $part are from the text

fault-at = { $place }: { $reason }
place-line = line { $number }
place-turn = turn { $number }
place-packet = packet { $packet }, notification { $number }
wrong-empty = the text is empty
wrong-no-game = the text contains no game
wrong-too-long = the text is too long
wrong-field-count = a position has three fields, board, side and score, not { $count }
wrong-column-count = the board has { $count } columns instead of { $wanted }
wrong-column-sign = column { $column } contains “{ $sign }”; only W, B, w, b and numbers are allowed
wrong-column-length = column { $column } must have { $wanted } points
wrong-bad-side = the side to move is w or b
wrong-bad-score = a score is White’s removed rings, a hyphen, and Black’s, such as 0-0
wrong-many-markers = { $count } markers on the board; the game has { $most }
wrong-many-turns = more than { $most } turns
wrong-waiting-row = the player who moved last has not removed the row { $row }
wrong-bad-removed = the game ends when { $most } rings are removed; this score is impossible
wrong-many-rings = a side has { $count } rings, including { $removed } removed; the limit is { $most }
wrong-early-pieces = there can be no markers or removed rings before all rings are placed
wrong-early-side = with these rings placed, it cannot be this side’s turn
wrong-not-a-turn = “{ $part }” is not part of a turn; write f6, e4-e10, xb3-b7xb2 or pass
wrong-game-over = the game is over before this turn
wrong-row-left = the row { $row } must be removed first
wrong-move-missing = the ring move is missing
wrong-no-row = there is no row { $row } to remove
wrong-no-ring = the side to move has no ring on { $point }
wrong-cannot-pass = passing is not possible: a ring can move
wrong-all-placed = all rings are placed: move a ring
wrong-not-vacant = { $point } is not free
wrong-not-placed = not all rings are placed: place a ring
wrong-cannot-move = the ring on { $from } cannot move to { $to }
wrong-bad-rules = the rules are standard or blitz
wrong-bad-command = this command does not set up a position
wrong-bad-point = “{ $point }” is not a point of the board
wrong-damaged = Gyre’s own data in this file, such as variations and notes, is damaged
wrong-other-side = { $side ->
    [b] it is Black’s turn
   *[w] it is White’s turn
  }
wrong-not-legal = this is not legal
wrong-bad-tag = a tag must have the form [Name "value"]
wrong-duplicate-tag = this tag occurs twice
wrong-tag-inside = a tag follows a game without a result; end the game with a result such as 3-1, or with *
wrong-no-result = the game ends without a result; write one such as 3-1, or * if the game is unfinished
wrong-bad-result = “{ $text }” is not a result; write one such as 3-1, or *
wrong-wrong-result = this result does not match the turns
wrong-other-result = this result differs from the one in the Result tag
wrong-turn-number = expected turn number { $number }
wrong-variation = a record has no variations; remove the parentheses and what is in them, or use SGF
wrong-open-comment = this comment has no closing brace
wrong-not-text = the text contains invalid characters
wrong-other-game = this is a game of { $game }, not YINSH
wrong-no-setup = the property SU, which names the game, is missing
wrong-no-parenthesis = a game must begin with “(”, not “{ $found }”
wrong-cut-file = the file ends in the middle of a game
wrong-too-deep = more than { $most } parentheses are open
wrong-no-property = expected a property, not “{ $found }”
wrong-no-value = the property { $name } has no value
wrong-open-bracket = this bracket is never closed
wrong-not-a-log = this is not a complete replay log from Board Game Arena
wrong-no-moves = the log contains no YINSH moves
wrong-unknown-move = unknown move “{ $move }”
wrong-not-played = there is no move to take back
wrong-not-first = the first move must be by { $name }, who plays White
wrong-marker-elsewhere = the marker is on { $marker }, but the ring moves from { $ring }
wrong-not-a-row = { $from } to { $to } is not a row of five
wrong-other-winner = the log and the moves name different winners
wrong-moves-missing = the game is over according to the log, but moves are missing
