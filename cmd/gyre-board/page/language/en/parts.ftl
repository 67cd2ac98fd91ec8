# The words in English of the parts that the page loads on demand: dialogs, tutorial, puzzles,
# review and more. page/language.js says how messages are used, and page.ftl has notes for
# translators.

## The dialog for the settings

settings-title = Settings
done = Done
setting-language = Language
# The choice that follows the browser or the system
setting-auto = Same as system
setting-board = Board
board-blue = Blue-gray
board-wood = Wood
board-slate = Dark slate
setting-theme = Page colors
theme-light = Light
theme-dark = Dark
setting-motion = Animation
motion-on = Always
motion-off = Never
setting-confirm = Confirm turns
confirm-people = In games with people
confirm-always = Always
setting-side = My side
side-bottom = At the bottom
side-white-bottom = White at the bottom
setting-coach = Coach, in unrated games
setting-off = Off
coach-on = Asks before a blunder
setting-sound = Sound
sound-on = On

## Games against a person at another browser: the bar above the tabs, and the dialog with a link

remote-bar =
    .aria-label = Game against someone on another device
# Opens the dialog with the link
remote-share = Send link…
share-kinds = What the link is for
share-to-play = To play
share-to-watch = To watch
share-link =
    .aria-label = Link
# Opens the browser's list of programs that can send the link
share-send = Share…
copy-link = Copy link
share-qr = QR code
share-code = QR code of the link
copy-text = Copy
text-copied = Copied.
text-copy-it = Copy the selected text.
resign-question = Resign this game?
# In place of a name, in the middle of a sentence
your-opponent = your opponent
link-invite = Invite a friend
link-invite-how = Send this link. Your friend opens it in any browser, makes the first turn, and sends you a link back.
# $who is a name, or the message your-opponent
link-send = Send your turn to { $who }
link-send-how = The link contains the game with your turn. When you get a link back, open it in this browser.
link-your-turn = Your turn. Then send { $who } the link.
link-their-turn = Waiting for the link from { $who }.
link-over = The game is over.
link-own = This is the link with your own turn. Send it to your opponent; the next turn is theirs.
link-older = This link is older than your game. The board shows the latest turn.
link-other = This link does not continue your game: its turns are different. Your game is unchanged.
link-open-apart = Open it separately
room-entering = Entering the room…
room-invite = Invite a friend
room-invite-how = Whoever opens the first link plays against you. Keep this page open, or return to it later: no turn is lost.
room-watch = Invite spectators
room-watch-how = Whoever opens this link can watch the game.
room-off = This board has no rooms. The server must be started with -rooms FILE.
room-gone = This room does not exist. It has closed, or the link is incomplete.
room-full = Too many rooms are open. Try again later.
room-crowded = Too many people are watching this game.
room-seat = This link does not give you a seat in the room. Ask for a link to play or to watch.
room-over = The game is over.
room-moved = The game has moved on. The board shows the latest turn.
room-paused = The server cannot save turns at the moment. All clocks are stopped, and no turn is lost.
room-share = Too many rooms were opened from your address. Try again later.
room-wait = Waiting for your opponent to open the link.
room-here = { $who } is here.
room-away = { $who } is not connected.
room-spectator = You are watching.
room-watching = { $count ->
    [one] { $count } spectator.
   *[other] { $count } spectators.
  }
room-rematch = Rematch with reversed sides?

## Offers after a game, each made once

offer-sound = Do you want to hear the pieces?
offer-sound-yes = Turn on sound
offer-install = Install the board on this device. It then works offline, in its own window.
offer-install-yes = Install

## The dialog for setting up a position

editor-title = Set up a position
editor-tools =
    .aria-label = What a click puts on a point
editor-board =
    .aria-label = Board to set up
tool-white-ring = White ring
tool-black-ring = Black ring
tool-white-marker = White marker
tool-black-marker = Black marker
tool-erase = Erase
editor-side = To move
editor-standard = standard
editor-blitz = blitz
editor-won-white = Rings won by White
editor-won-black = by Black
# The position as text, for copying
editor-text = As text
editor-empty = Clear board
# Takes the position of the game
editor-shown = Current position
editor-copy = Copy text
analyze = Analyze
editor-play = Play from here…
# $prompt says what the player to move has to do; $problem is a message wrong-
editor-playable = Playable. { $prompt }
editor-over = The game is over. { $prompt }
editor-problem = Not playable: { $problem }.
position-copied = Position copied.
position-below = Copy the position from the field below.
link-copied = Link copied.
link-below = Copy the link from the field below.
# $reason is an error
not-now = This is not possible now: { $reason }

## The tutorial: a board with one task after the other. A task has a title, what to do (.say), a
## hint, what is said when it is done, and (.again) when a turn did not do it.

tutorial-board =
    .aria-label = Tutorial board
lessons =
    .aria-label = Lessons
lesson-number = { $number }. { $title }
# Opens the list of lessons
lesson-of = Lesson { $number } of { $count }
lesson-next = Next
lesson-hint = Hint
# After the last task
lessons-done = Now you know how to play.
task-place = Place
    .say = White begins. Both players place five rings on points where lines cross. Place one anywhere.
    .hint = The center is a good place: most lines meet there.
    .done = That is your first ring.
task-move = Move
    .say = Then rings move. Pick one of your white rings, then a point along a line.
    .hint = A ring slides over free points, but never over another ring.
    .done = Your ring has left a marker where it was. Every move does.
task-flip = Jump and flip
    .say = A ring may jump markers. It stops on the first free point behind them, and all of them flip. Flip both black markers with one move.
    .hint = The ring on d4 is in line with them.
    .done = Both markers flipped to white. White markers would have become black. The marker that you place does not flip.
    .again = That flipped fewer than two markers. Jump both at once.
task-row = Make a row
    .say = Your goal is a row: five markers of your color. You have four, and your ring is on the fifth point.
    .hint = Move the ring on h8 away: it leaves the fifth marker. Then click the row, and a ring.
    .done = A row! It comes off the board with one of your rings. That ring is your point.
    .again = No row yet. Which ring could leave the fifth marker?
task-pay = Flip to make a row
    .say = A jump can complete a row, too. A row costs you a ring of your choice, and with fewer rings you have fewer moves. Give up a ring that you do not need.
    .hint = The ring on d4 can jump e5. The ring on c6 has little to do.
    .done = The flipped marker completed the row. The ring that you removed is the price, and it is your point.
    .again = No row yet. One of the five markers is black: jump it.
task-stop = Stop a row
    .say = Black has four in a row and a ring that can leave the fifth marker. Stop the row.
    .hint = Jump one of the four markers to flip it. Your ring on h9 is in line with f7.
    .done = One flipped marker, and the threat is gone.
    .again = Black can still make a row with the ring on f8. Flip one of the four markers.
task-gift = Your opponent’s gift
    .say = Black’s turn has completed a row of your markers. It is yours: remove it with a ring at the start of your turn. Then move as usual.
    .hint = Click the row, then a ring that you do not need. After that, move any ring.
    .done = You removed the row before your move. Watch what your own moves give to your opponent.
task-rows = Long and crossing rows
    .say = Six in a row, and another row crosses it. You remove one row at a time and choose its five markers. Choose so that both rows count.
    .hint = The rows cross on f3. Leave that marker: remove f4 to f8 first, then d1 to h5.
    .done = Two rows in one turn: two rings. One marker of the long row would have stayed anyway.
    .again = The first row took the marker on f3, and the other row needed it. Leave it on the board.
task-win = Win
    .say = The third ring that you remove wins the game. You have removed two. Make one more row.
    .hint = One of the five markers is black. The ring on g8 can jump it.
    .done = Three rings: you win.
    .again = Not yet. Which jump makes five white markers?

## The help dialog, below the rules

help-mouse-title = Mouse and touch
help-mouse = Click a ring, then one of the dots, or drag the ring there. To remove a row, click its handle, or its markers until one row is left; then click that row or <b>Remove</b>. The right mouse button draws arrows. A click during an animation skips it.
help-keys-title = Keys
key-up-down = on the board: along the letter; elsewhere: other variations
key-left-right = on the board: along the number; elsewhere: back or forward one turn
key-shift = on the board: along the third line
key-enter = pick the point, or remove the selected row
key-n-p = on the board: next or previous choice; elsewhere: next or previous mistake of a review
key-escape = take back one step
key-m-l = read out the choices or the last turn
key-comma = back or forward one turn, from anywhere
key-home = first or last position
key-g-i = go to the board or to the field for turns
key-u-r = take back or replay the last turn
key-h = a hint in a game against an engine; press again to see the turn
key-f = rotate the board
key-a-t = analysis, threat
key-d = start or end an arrow at the point
key-help = this help
help-text-title = Turns as text
# The tags i mark turns
help-text = <i>f6</i> places a ring, <i>e4-e10</i> moves one, <i>xb3-b7xb2</i> removes the row b3 to b7 and the ring on b2. A semicolon joins the parts of a turn.

## In the tab Analysis: what the targets of a picked ring lose, as numbers on the board

worth-about = The number on a target is the share of your winning chances that moving there costs, in percent; × is all of them. A dashed circle is a first estimate.
worth-nothing = loses nothing
worth-loses = loses { $share }
worth-short = after a short search

## The dialog for pictures of the board

image-title = Picture
image-preview =
    .alt = Preview of the picture
image-coordinates = Coordinates
image-last = Last turn
image-size = Size
pixels = { $count } pixels
# How long the GIF shows each turn
image-delay = Time per turn in the GIF
image-progress =
    .aria-label = GIF progress
save-svg = Save SVG
save-png = Save PNG
save-gif = Save game as GIF
image-too-large = the browser cannot make a picture of this size
image-canceled = Canceled. Nothing was saved.
image-saved = Saved as { $name } ({ $size }).

## The bar above the tabs while two engines play

watch =
    .aria-label = Watch
watch-speed = Speed
speed-slow = slow
speed-normal = normal
speed-fast = fast
watch-next = Start the next game automatically
watch-score = Score { $first }–{ $second }

## The opening explorer, in the tab Analysis

# Which games are counted
explorer-games = Games
explorer-engine = by the engine
explorer-mine = saved here
# The columns of the table
explorer-turn = Turn
explorer-count = Games
explorer-points = White’s points
explorer-score = Score
explorer-none = No games continue from here.
explorer-none-mine = None of your finished games continue from here.
# Below these: goes to the last position from which games continue
explorer-back = { $number ->
    [0] Back to the start
   *[other] Back to turn { $number }
  }
explorer-symmetric = Symmetrical turns are counted together.
explorer-most-played = The { $shown } most played of { $count }.
explorer-uncounted = { $count ->
    [one] One game could not be counted.
   *[other] { $count } games could not be counted.
  }
# After a turn: the number of symmetrical turns counted with it
explorer-alike = and { $count } symmetrical
explorer-counting = Counted { $number } of { $count } games…
explorer-fails = The table is not available: { $reason }
explorer-running = The game is running. Pause it to try out a turn.

## The coach: hints on request, and a question before a blunder

coach = Coach
hint-search = Looking for a hint…
hint-show-turn = Show the turn
look-at-point = Look at { $point }.
look-at-ring = Look at the ring on { $point }.
look-at-row = Look at the row { $first } to { $last }.
look-at-paying-ring = Look at the ring on { $point }. You can remove it for the row.
look-at-pass = No ring can move.
hint-turn = The engine suggests: { $turn }.
# The player has begun another turn
hint-back = Undo your steps first.
engine-cannot-say = The engine cannot answer right now.
coach-looks = The coach is looking at { $turn }…
coach-skip = Play it now
coach-blunder = { $turn } is a blunder: your winning chances drop from { $before } to { $after }.
# The opponent’s best turn after a blunder, a blue arrow
coach-reply = The blue arrow is the best answer, { $turn }.
coach-asks = Play it anyway?
coach-play = Play anyway

## What is good or bad about a turn: sentences of the coach and the review, which follow the name
## of the turn. "It" is the turn. $side plays it; $opponent is the name of the other side. $turn is
## an example. $rows are rows such as "e3 to e7 and c2 to g6", $rings are points of rings.

row-ends = { $first } to { $last }
fact-wins = It wins the game.
fact-loses-next = { $opponent } can then win with { $turn }.
fact-takes-rows = { $count ->
    [one] It removes the row { $rows }.
   *[other] It removes the rows { $rows }.
  }
fact-gives-rows = { $count ->
    [one] It completes the row { $rows } for { $opponent }.
   *[other] It completes the rows { $rows } for { $opponent }.
  }
fact-opens-row = It lets { $opponent } make a row with { $turn }.
fact-leaves-row = { $opponent } can still make a row with { $turn }.
fact-stops-rows = It stops { $opponent } from making a row.
# $left is the number of rows that $turn would remove, $had the number that were removed
fact-misses-row = { $had ->
    [0] { $left ->
        [one] { $sideName } could remove a row with { $turn }.
       *[other] { $sideName } could remove { $left } rows with { $turn }.
      }
   *[other] { $sideName } could remove { $left } rows instead of { $had } with { $turn }.
  }
# The same rows, but other rings are removed for them
fact-pays-other = { $count ->
    [one] For the same row, { $sideName } could remove the ring on { $rings }.
   *[other] For the same rows, { $sideName } could remove the rings on { $rings }.
  }
fact-threatens = It threatens to make a row with { $turn }.
# $left is the number of markers that remain in the pool
fact-few-markers = { $left ->
    [0] No markers are left: whoever has removed more rings wins.
    [one] One marker is left: after that, whoever has removed more rings wins.
   *[other] { $left } markers are left: after that, whoever has removed more rings wins.
  }
# One marker short of a row: four markers of one color on five points in line
fours-new = { $left ->
    [one] It gets within one marker of a row.
   *[other] It gets within one marker of a row in { $left } places.
  }
fours-lost = { $had ->
    [one] { $sideName } was one marker short of a row and no longer is.
   *[other] { $sideName } was one marker short of a row in { $had } places and no longer is.
  }
fours-change = { $had ->
    [one] { $sideName } was one marker short of a row in one place, now in { $left }.
   *[other] { $sideName } was one marker short of a row in { $had } places, now in { $left }.
  }

## The tab Review: an engine judges every turn of a game

review-progress =
    .aria-label = Progress of the review
stop = Stop
review-puzzles = Mistakes as puzzles
review-depth = Depth
depth-quick = quick
depth-normal = normal
depth-thorough = thorough
review-several = Several games…
review-begun = The review has started.
review-done = The review is done. Accuracy: White { $white }, Black { $black }.
# Why a review cannot start
review-later = Available after the game, or when it is paused
review-again = Review again
# The table of both sides: its columns, short and long
accuracy = Accuracy
mean-lost = Lost
mean-lost-long = chances lost per turn
blunders = blunders
mistakes = mistakes
inaccuracies = inaccuracies
missed-rows = Missed
missed-rows-long = missed rows
turning-points = Turning points
turning-point = { $number }. { $sideName } { $turn }: { $before } → { $after } for White
# The shown turn: "11. c3 to f6 ?! White 50% to 38%. Better: k7 to j6." The chances are those of its player.
finding-chances = { $sideName } { $before } to { $after }
better-is = Better: { $turn }
next-mistake = Next mistake ({ $count })
first-mistake = First mistake
review-more = More
accuracy-of = Accuracy: { $players }
label-fine = good
label-best = the engine’s choice
finding-row-missed = A row was possible.
show-better = Show
add-better-line = Add the better line
# A note that is added to the better turn
note-better = Better.
note-better-chances = Better: { $share } for White.
# The player looks for a better turn
retry = Try again
retry-question = Find a better turn for { $sideName } than { $turn }.
retry-thinking = Checking…
retry-best = Well done! That is the review’s turn.
retry-named = The review’s turn is { $turn }.
retry-good = Good.
retry-better = Better.
retry-no-better = Not clearly better.
retry-compared = { $turn } loses { $lost }; { $mistake } lost { $before }.
retry-another = There is an even better turn.
retry-other = Try another

## The strategy lessons, in the tab Learn. A lesson has a title and three sentences (.say)

strategy-close = Close lessons
strategy-task = { $sideName } to move. Exercise { $number } of { $count }.
strategy-tempo = Tempo
    .say = A threat decides what your opponent has to do next. A turn that stops a row and threatens one at the same time gains a tempo. Look for the ring move that does both.
strategy-mobility = Mobility
    .say = A player with few moves has few ways to make or stop a row. Rings never pass rings, so your rings can block lines. In each exercise, no other turn leaves your opponent fewer moves.
strategy-saving = Saving rings
    .say = Each row costs you a ring, and the rings that remain must make the next row. Give up a ring with little to do, and keep those near your markers. The right turn makes a row, but only one ring is the right one to give up.
strategy-double = Double threats
    .say = One threat can be stopped; two often cannot. A double threat is two possible rows, or one row that can be completed in several ways. Find the turn after which no reply can prevent your row.
strategy-breaking = Breaking a row
    .say = A row needs five markers of one color, so one flipped marker breaks it. A jump flips every marker on its way, including your own. Find the jump after which your opponent cannot make a row next.
strategy-forcing = Forcing the opponent to make your row
    .say = Your opponent’s turn can complete a row of your color. You then remove the row and a ring before your move. Find the turn after which the best reply makes your row.
strategy-timing = When to take your ring
    .say = A row takes one of your rings off the board, and you have fewer moves afterwards. If your opponent threatens a row too, stopping it can be worth more. In each exercise you could make a row now, but another turn is better.
strategy-last = The last ring
    .say = Once you have removed two rings, your next row wins. Your opponent must answer every threat, so you decide what happens. Find the threats that force the last ring.
strategy-placing = Placing rings
    .say = Place rings where they can move. A ring near the center reaches more points than a ring at the edge. Find the best point for the next ring.
strategy-endgame = Few markers left
    .say = Every ring move takes a marker from the pool, and the game ends when none is left. Then whoever has removed more rings wins. Count the markers: a threat that comes too late is worth nothing.

## Puzzles, in the tab Learn

puzzle-next = Next puzzle
puzzle-show = Solution
puzzle-theme = Theme
puzzle-rules = Only new puzzles change your rating; mistakes from your games do not. A wrong turn, a hint or the solution counts as not solved.
theme-mixed = Mixed
theme-make-row = Make a row
theme-stop-row = Stop a row
theme-two-rows = Two rows
theme-break-and-make = Break and make
theme-right-ring = Remove the right ring
theme-win = Forced win
theme-opponents-row = Your opponent’s gift
theme-threaten-row = Threaten a row
theme-own = Mistakes from saved games
# The task. $task is one of the next two messages, or a theme.
puzzle-task = { $sideName } to move. { $task }.
# When it is over
puzzle-task-rated = { $sideName } to move. { $task }. Rated { $rating }.
win-in = { $count ->
    [one] Win in one turn
   *[other] Win in { $count } turns
  }
puzzle-find = Find the only right turn
puzzle-own = { $sideName } to move. Find a better turn than in your game.
puzzle-own-from = { $sideName } to move. Find a better turn than in { $game }.
puzzle-away = Another game is on the board.
puzzles-loading = Loading the puzzles…
games-read-of = Read { $number } of { $count } games…
puzzle-no-mistakes = No mistakes yet. Play a game, review it, and come back.
puzzle-games-fail = The games cannot be read now: { $reason }.
puzzle-hint-row = Remove the row { $first } to { $last } first.
puzzle-hint-move = Move the ring on { $point }.
puzzle-hint-place = Place a ring on { $point }.
puzzle-solution = Solution: { $turns }.
puzzle-right = Right.
puzzle-reply = The reply…
puzzle-right-next = Right. What now?
puzzle-wins = That wins.
# Why the first turn of the solution is right: $facts are sentences that begin with "It"
puzzle-why = { $turn }: { $facts }
puzzle-wins-in = { $count ->
    [one] It wins in one turn.
   *[other] It wins in { $count } turns.
  }
# The player removed another ring than the solution
puzzle-other-ring = The solution was { $turn }, with another ring.
puzzle-as-good = { $turn } is just as good.
puzzle-played = { $turn } is the turn that you played.
puzzle-wrong = { $turn } is not the solution.
puzzle-slower = { $turn } wins, too, but more slowly.
puzzle-loses = { $count ->
    [one] { $turn } loses: your opponent then wins in one turn.
   *[other] { $turn } loses: your opponent then wins in { $count } turns.
  }
puzzle-not-it = { $turn } looks good, but is not the solution.
puzzle-mistake = { $turn } is a mistake: your winning chances drop from { $before } to { $after }.
# With a colored square after it
day-share = YINSH puzzle of the day, { $date }: solved
day-text = Your result to share
day-link-damaged = The date in this link is damaged or still to come. Here is today’s puzzle.
# $rating is such as 1510 ± 60 (+8)
puzzle-rating = Your rating: { $rating }. Streak { $streak }, best { $best }. Solved { $solved } of { $count }.

## The moments in which a player lost most, in the tab Learn

moments-how = Here you lost most. Find a better turn.
moments-searching = Looking for the turns that lost most…
moments-none = No turn of yours lost 5% or more.
moments-later = Nothing to repeat today. The next moment returns on { $date }.
moments-never = There is nothing to repeat.
moments-return = Missed moments return after 1, 3 and 7 days, in the tab Learn.
moments-unreviewed = The game has not been reviewed.
moments-next = Next moment
moments-list = All moments
moment-found = Found
moment-missed = Missed

## The puzzle rush, in the tab Learn

rush-today = Puzzle rush of the day
rush-of-date = Puzzle rush of { $date }
rush-how = Solve as many puzzles as you can in three minutes. The third mistake ends the rush. On each day, everybody gets the same puzzles, and they become harder.
rush-begin = Start today’s rush
rush-begin-date = Start this rush
rush-practice = Practice
rush-stop = Stop
rush-solved = { $count } solved
rush-streak = Days in a row: { $count }
rush-calendar = Puzzles solved on the last 14 days
rush-text = The result to share
rush-share = YINSH puzzle rush, { $date }: { $count } solved
rush-link-damaged = The date in this link is damaged or still to come. Here is today’s rush.

## Challenges by link, in the tab Learn

challenge-how = You play a level from a placing of rings, and then send a link. Your friend plays the same level from the same placing, and it answers the same turns in the same way. Then both of you see the two games side by side.
challenge-by = A challenge by { $name }
# The same if the sender gave no name
challenge-received = You are challenged
challenge-invites = Play White against { $level } from the same placing. Then you see both games side by side.
challenge-accept = Play
challenge-measuring = Measuring the accuracy of your game…
challenge-both = The games side by side
challenge-result = Result
challenge-won = won { $mine }–{ $theirs }
challenge-lost = lost { $mine }–{ $theirs }
challenge-drawn = drew { $mine }–{ $theirs }
challenge-resigned = resigned
challenge-accuracy = { $level }’s accuracy
challenge-help = With help
challenge-yes = yes
challenge-no = no
challenge-friend = Your friend
challenge-see = { $name }: see the game
challenge-link = The text and the link to send
challenge-text = I played YINSH against { $level }: { $result }, accuracy { $accuracy }. Play from the same placing:
challenge-answer = My game against { $level }: { $result }, accuracy { $accuracy }. Both games side by side:
challenge-fault-long = This link is longer than a challenge can be. Ask for it again.
challenge-fault-cut = The end of this link is missing. Ask for it again, or copy all of it.
challenge-fault-damaged = This link was changed on its way: its checksum is wrong. Ask for it again.
challenge-fault-version = This link is from another version of the page. Reload the page, and follow it again.
challenge-fault-invalid = This link is no challenge.
challenge-fault-level = This page has no level “{ $level }”.
challenge-fault-turns = The turns in this link are not legal: { $reason }

## The dialog My rating, and its line after a game

rating-date = Date
rating-against = Opponent
rating-result = Result
rating-rating = Rating
rating-about = A game counts if it is played by the standard rules against a level with a rating, from the first turn to the end, without help: hints, take-backs, pauses, analysis, openings or the coach. Copies of games do not count. Random play has a rating of 0. The range after ± contains the true rating with 95% probability. The results are saved in this browser and in backups.
rating-after = { $count ->
    [one] { $rating }, after one game
   *[other] { $rating }, after { $count } games
  }
rating-none = No games have counted yet.
rating-now-counts = The current game counts.
# $reason is one of the messages not-rated-
rating-not-now = The current game does not count: { $reason }.
rating-not = Not rated: { $reason }.
rating-changed = Your rating: { $rating } ({ $change }).
# A rating after a few games, in the messages above and in those of the puzzles
rating-provisional = { $rating }, provisional
rating-chart = { $count ->
    [one] Rating after one game: { $first } at first, { $last } now
   *[other] Rating after { $count } games: { $first } at first, { $last } now
  }
game-won = won
game-drawn = drawn
game-lost = lost
# In the list of games, if both players are here or elsewhere
game-winner = { $sideName } won
# $help is a list of the messages help-with-
not-rated-help = you had { $help }
help-with-hints = hints
help-with-take-backs = take-backs
help-with-pauses = pauses
help-with-the-analysis = analysis
help-with-the-openings = openings
help-with-the-coach = the coach
help-with-a-copy = a copy of the game
not-rated-rules = ratings are for the standard rules
not-rated-start = it did not start with an empty board
not-rated-level = the level { $level } has no rating
not-rated-unknown = { $engine } does not say whether it can play at a rating
not-rated-engine = { $engine } cannot play at a rating
rating-not-stored = The result cannot be saved for your rating now ({ $reason }).

## The dialog for reviewing several games

reviews-title = Review several games
reviews-new = Select unreviewed
reviews-all = All
reviews-none = None
reviews-list =
    .aria-label = Games to review
reviews-progress =
    .aria-label = Progress of all reviews
reviews-summary =
    .aria-label = Summary by player
my-games = My games
no-games-now = Games cannot be saved or read now: { $reason }
reviews-no-games = There are no games with turns.
reviews-left-before = { $count ->
    [one] One game is left from last time.
   *[other] { $count } games are left from last time.
  }
show-more-of = Show { $more } more of { $count }
# On a button with the accuracy of White and Black
reviews-open = Accuracy { $accuracy }. Open { $game }
reviews-start = { $count ->
    [one] Review one game
   *[other] Review { $count } games
  }
reviews-begun = { $count ->
    [one] Reviewing one game.
   *[other] Reviewing { $count } games.
  }
game-of = Game { $number } of { $count }.
may-be-closed = You can close this dialog or hide the tab.
reviews-done = { $count ->
    [one] One game reviewed.
   *[other] { $count } games reviewed.
  }
reviews-left = { $count ->
    [one] One game left. Choose Review to continue.
   *[other] { $count } games left. Choose Review to continue.
  }
# $reasons is a list of games with one of the next messages each
reviews-failed = { $count ->
    [one] One game could not be reviewed: { $reasons }.
   *[other] { $count } games could not be reviewed: { $reasons }.
  }
a-game = a game
game-being-played = it is being played
game-damaged = it is damaged
game-gone = it no longer exists
game-without-turns = it has no turns
game-changed = it has changed
game-open-elsewhere = it is open in another tab
reviews-elsewhere = Another tab is reviewing games.
column-player = Player
column-games = Games
column-accuracy = Accuracy
column-blunders = Blunders
column-mistakes = Mistakes
column-missed-rows = Missed rows

## The dialog Games: saved games, files, links

games-kept = Saved in this browser
games-this = This game
games-open = Open
save-all = Save all as one file
back-up = Back up all
games-review = Review several…
save-record = Save record
save-sgf = Save SGF
games-picture = Picture…
copy-record = Copy record
copy-position = Copy position
formats = Records and SGF files contain the whole game: all lines, notes, the review and clocks. A link contains the turns of one line.
text-to-copy =
    .aria-label = Text to copy
open-file = Open a file…
games-editor = Set up a position…
paste = Or paste a position, turns, a record, Boardspace SGF or a Board Game Arena log:
open-text = Open text
reading-progress =
    .aria-label = Reading progress
record-copied = Record copied.
record-below = Copy the record from the field below.
saved-as = Saved as { $name }.
games-read = { $count ->
    [one] One game read
   *[other] { $count } games read
  }
# A list of errors follows
games-read-except = { $count ->
    [one] One game read. Errors:
   *[other] { $count } games read. Errors:
  }
and-more = and { $count } more.
games-none = No games yet.
# Instead of the button that deletes a game: the game is open here, or in another tab
list-open = open
list-elsewhere = in another tab
show-more = Show more of { $count }
count-games = { $count ->
    [one] { $count } game
   *[other] { $count } games
  }
games-of = { $count ->
    [one] One game from { $name }
   *[other] { $count } games from { $name }
  }
delete = Delete
delete-game = Delete { $game }
delete-all = Delete all
# $what is a game, or the message games-of. A notice, with the button Undo.
deleted = Deleted: { $what }.
not-restored = The deleted games cannot be restored now: { $reason }.
games-written-of = Wrote { $number } of { $count } games…
games-saved = { $count ->
    [one] One game saved as { $name }.
   *[other] { $count } games saved as { $name }.
  }
games-not-saved = { $count ->
    [one] One game could not be saved: { $reason }
   *[other] { $count } games could not be saved: { $reason }
  }
backup-without-results = The results for your rating could not be read and are missing.
backup-open = Open the file in any browser to restore the games.
games-added = { $count ->
    [one] One game added.
   *[other] { $count } games added.
  }
games-added-except = { $count ->
    [one] One game added; { $same } already here.
   *[other] { $count } games added; { $same } already here.
  }
not-a-game-file = This is not a game file.
file-is-utf16 = This file is UTF-16. Save it as UTF-8.
file-is-compressed = This file is compressed. Extract it first.
# The name of a collection
pasted-games = Pasted games
line-too-long = line { $line }: this text is too long for a game
game-number-error = game { $number }: { $reason }
not-a-backup = this is not a backup of games

## The tab for matches of engines

match-title = Engine match
match-match = Match
match-choice =
    .aria-label = Match
match-games =
    .aria-label = Games of the match
match-points = Points in the match: { $points }
match-progress =
    .aria-label = Progress of the match
match-delete = Delete this match
match-new = New match
match-limit = Per turn
limit-positions = { $count } positions per turn
limit-seconds = { $count } s per turn
match-about = Games come in pairs: each opening is played twice with colors reversed. A level plays at its own strength within the limit.
first-player = First player
second-player = Second player
player-engine = { $player }: engine
player-level = { $player }: level
engine-not-ready = the engine is not ready yet
match-busy = Only one match can run at a time: { $match } is running.
match-game-turn = Game { $number } of { $count }, turn { $turn }.
match-counts = Won { $wins }, drawn { $draws }, lost { $losses } of { $count } games at { $limit }.
# The title of a table: points of a pair, and below them the number of pairs with these points
match-pairs = Pairs by the first player’s points
# $low and $high are the bounds of the interval
match-elo = Elo difference for the first player { $elo } ({ $share }: { $low } to { $high }).
match-no-elo = The Elo difference is estimated after the first pairs.
too-many-orders-share = Too many matches and reviews are running for your address. Stop one of them.
match-superiority = The first player is stronger with a probability of { $share }.
less-than = less than { $share }
more-than = more than { $share }
# A game of the match, from the first player's view: $score is such as 3: ½, $result is game-won,
# -drawn or -lost. It begins with $score, which the button shows.
match-open-game = { $score }, { $result } as { $sideName }. Open the game
match-failed = The match has stopped: { $reason }.
match-over = The match is over: { $score }.
match-stopped = The match is paused. You can resume it at any time.
match-deleted = Deleted the match { $match }.
match-not-restored = The match { $match } cannot be restored now: { $reason }.
# The name of a collection of games
match-of = Match { $match }
# A note in each game; $limit is one of the messages limit-
match-note = { $limit }; the first { $count } turns are the opening.
match-chart = Elo after pairs { $first } to { $last }; now { $elo } ± { $error }
match-elsewhere = it is running in another tab
match-not-stored = a game cannot be saved: { $reason }

## Games: finding stored games, and giving them names and tags

find-games =
    .aria-label = Find games
find-words =
    .aria-label = Search names, players and tags
    .placeholder = Name, player or tag
find-player =
    .aria-label = Player
    .placeholder = Player
find-result =
    .aria-label = Result
find-source =
    .aria-label = Source
outcome-any = All results
outcome-white = White won
outcome-black = Black won
outcome-draw = Draws
outcome-open = Unfinished
source-any = All sources
# The games played here, in contrast to those from files
source-own = Played here
found-games = { $count ->
    [one] { $count } game found
   *[other] { $count } games found
  }
find-none = No games match. Search for fewer words, or choose all results and sources.
find-more = Show more of { $count }
name-game = Name and tags of { $title }
name-game-short = Name and tags
game-name = Name
game-labels = Tags, separated by commas
save-name = Save
name-elsewhere = This game is open in another tab. Name it there.

## Why an engine has stopped, or refuses an option: parts of sentences. Words of the engine may follow in parentheses

wrong-engine-start = { $engine } cannot be started
wrong-engine-handshake = { $engine } does not answer as an engine does
wrong-engine-died = { $engine } has ended unexpectedly
wrong-engine-closed = { $engine } has closed its output
wrong-engine-silent = { $engine } does not answer
wrong-engine-late = { $engine } gave no turn in time
wrong-engine-garbage = { $engine } broke the protocol
wrong-engine-illegal = { $engine } gave an illegal turn
wrong-engine-position = { $engine } did not accept the position
wrong-engine-ended = { $engine } was ended
wrong-engine-rejects = the engine rejects the value { $value }
wrong-option-string = only the engine’s command line can set the option { $name }
wrong-option-button = the option { $name } is a button and has no value
wrong-option-most = the option { $name } is at most { $most } on this server
wrong-option-value = the option { $name } cannot be { $value }
wrong-option-unknown = the engine has no option { $name }
