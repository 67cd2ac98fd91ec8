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
