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
setting-side = My side
side-bottom = At the bottom
side-white-bottom = White at the bottom
setting-coach = Coach, in unrated games
setting-off = Off
coach-on = Asks before a blunder
setting-sound = Sound
sound-on = On
close = Close

## Games against a person at another browser: the bar above the tabs, and the dialog with a link

remote-bar =
    .aria-label = Game against a person elsewhere
# Opens the dialog with the link
remote-share = Send link…
share-kinds =
    .aria-label = What the link is for
share-to-play = To play
share-to-watch = To watch
share-link =
    .aria-label = Link
# Opens the browser's list of programs that can send the link
share-send = Share…
copy-link = Copy link
share-qr = QR code
share-code = QR code of the link
share-copied = The link is copied.
share-copy-it = Copy the selected link.
share-sent = The link is shared.
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
room-crowded = Too many people watch this game.
room-seat = This link has no seat in the room. Ask for a link to play or to watch.
room-over = The game is over.
room-moved = The game has continued meanwhile. The board shows its latest turn.
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
