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
# Follows the number of markers in the pool, which is set in bold
markers-left = { $count ->
    [one] marker left
   *[other] markers left
  }

## Below the board: choices during a turn, and the buttons of the game

choices =
    .aria-label = Choice
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
# Rotates the board by half a turn
flip-board = Rotate
flip-board-button =
    .title = Rotate the board (f)
pause = Pause
resign = Resign

## The tabs of the panel next to the board

game-details =
    .aria-label = Game details
panels =
    .aria-label = Panels
tab-end = Result
tab-learn = Learn
tab-turns = Turns
tab-analysis = Analysis
tab-review = Review
tall-panel =
    .aria-label = Enlarge the panel
    .title = Enlarge the panel

## The tab Result, after a game

end-review = Review the game
end-rematch = Rematch
end-other = Switch sides
end-level = Next level

## The tab Learn: its buttons, and the rules in short

learn-by-playing = Learn by playing
puzzles = Puzzles
my-rating = My rating
rules-goal = <b>YINSH</b> is a game for two. Make rows of five markers in your color. Each row earns you one of your rings: the first to remove <b>three rings</b> wins.
rules-goal-blitz = <b>YINSH</b> is a game for two. Make a row of five markers in your color. It earns you one of your rings: the first to remove <b>one ring</b> wins.
rules-place = <b>Place.</b> White begins. Players alternately put five <b>rings</b> each on any free points.
rules-move = <b>Move.</b> Then each turn moves one of your rings along a line. It leaves a <b>marker</b> of your color where it was. The ring slides over free points. It may jump markers, and stops on the first free point behind them. It never passes a ring.
rules-flip = <b>Flip.</b> All jumped markers flip: white becomes black, black becomes white.
rules-row = <b>Row.</b> Five markers of your color in a row come off the board, and one of your rings with them. That ring is your point.
rules-win = <b>Win.</b> The first to remove <b>three</b> rings wins.
rules-win-blitz = <b>Win.</b> This is blitz: the first to remove <b>one</b> ring wins, so the first row decides.
rules-watch = Two engines play; you watch.
rules-you-are = You are { $sideName }.
rules-both = You play both sides.
rules-click = Click a ring to see where it can go, then click a dot. The line above the players always says what to do next.

## The tab Analysis

# The title of the switch that turns the engine on
engine = Engine
line-count = Lines
# Shows what the opponent would do if it were their turn
threat = Threat
openings = Openings
analysis-off = Turn on the engine to see its score, its best lines, and arrows on the board.
engine-choice =
    .aria-label = Engines that analyze
engine-options = Engine options
analysis-time = Time per position
scores-are-whites = Scores and chances are White’s: above zero, and above { $half }, White is ahead.

## The tab Turns

turn-list =
    .aria-label = Turns of the game
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
new-link-how = After each of your turns you send your friend a link. It needs no server, and you both have all the time you want.
# The same, but the server passes the turns on at once.
new-room = A friend, live
new-room-how = You send your friend one link. Then both of you see each turn at once, on two devices.
your-name = Your name
new-side = You play
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
