# Die deutschen Wörter der Teile, die die Seite nach Bedarf lädt. Die Erklärungen stehen in den
# englischen Dateien.

## The dialog for the settings

settings-title = Einstellungen
done = Fertig
setting-language = Sprache
setting-auto = Wie das System
setting-board = Brett
board-blue = Blaugrau
board-wood = Holz
board-slate = Dunkler Schiefer
setting-theme = Farben der Seite
theme-light = Hell
theme-dark = Dunkel
setting-motion = Animation
motion-on = Immer
motion-off = Nie
setting-confirm = Züge bestätigen
confirm-people = In Partien mit Menschen
confirm-always = Immer
setting-side = Meine Seite
side-bottom = Unten
side-white-bottom = Weiß unten
setting-coach = Trainer, in Partien ohne Wertung
setting-off = Aus
coach-on = Fragt vor einem groben Fehler nach
setting-sound = Ton
sound-on = An

## Games against a person at another browser

remote-bar =
    .aria-label = Partie mit jemandem anderswo
remote-share = Link senden…
share-kinds = Wozu der Link dient
share-to-play = Zum Spielen
share-to-watch = Zum Zuschauen
share-link =
    .aria-label = Link
share-send = Teilen…
copy-link = Link kopieren
share-qr = QR-Code
share-code = QR-Code des Links
copy-text = Kopieren
text-copied = Kopiert.
text-copy-it = Kopiere den markierten Text.
resign-question = Diese Partie aufgeben?
your-opponent = deinem Gegner
link-invite = Einen Freund einladen
link-invite-how = Schicke diesen Link. Dein Freund öffnet ihn in einem beliebigen Browser, macht den ersten Zug und schickt dir einen Link zurück.
link-send = Schicke deinen Zug: { $who }
link-send-how = Der Link enthält die Partie mit deinem Zug. Wenn du einen Link zurückbekommst, öffne ihn in diesem Browser.
link-your-turn = Du bist dran. Schicke danach den Link: { $who }.
link-their-turn = Warten auf den Link von { $who }.
link-over = Das Spiel ist zu Ende.
link-own = Das ist der Link mit deinem eigenen Zug. Schicke ihn deinem Gegner; der nächste Zug ist seiner.
link-older = Dieser Link ist älter als deine Partie. Das Brett zeigt den letzten Zug.
link-other = Dieser Link setzt deine Partie nicht fort: Seine Züge sind andere. Deine Partie ist unverändert.
link-open-apart = Getrennt öffnen
room-entering = Raum wird betreten…
room-invite = Einen Freund einladen
room-invite-how = Wer den ersten Link öffnet, spielt gegen dich. Lass diese Seite offen oder komm später zurück: Kein Zug geht verloren.
room-watch = Zuschauer einladen
room-watch-how = Wer diesen Link öffnet, kann der Partie zuschauen.
room-off = Dieses Brett hat keine Räume. Der Server muss mit -rooms FILE gestartet werden.
room-gone = Diesen Raum gibt es nicht. Er ist geschlossen, oder der Link ist unvollständig.
room-full = Zu viele Räume sind offen. Versuche es später noch einmal.
room-crowded = Zu viele schauen dieser Partie zu.
room-seat = Dieser Link hat keinen Platz in dem Raum. Bitte um einen Link zum Spielen oder Zuschauen.
room-over = Das Spiel ist zu Ende.
room-moved = Die Partie ist inzwischen weitergegangen. Das Brett zeigt den letzten Zug.
room-paused = Der Server kann gerade keine Züge speichern. Alle Uhren stehen, und kein Zug geht verloren.
room-share = Von deiner Adresse wurden zu viele Räume geöffnet. Versuche es später noch einmal.
room-wait = Warten, bis dein Gegner den Link öffnet.
room-here = { $who } ist da.
room-away = { $who } ist nicht verbunden.
room-spectator = Du schaust zu.
room-watching = { $count ->
    [one] { $count } Zuschauer.
   *[other] { $count } Zuschauer.
  }
room-rematch = Revanche mit vertauschten Seiten?

## Offers after a game

offer-sound = Möchtest du die Steine hören?
offer-sound-yes = Ton einschalten
offer-install = Installiere das Brett auf diesem Gerät. Dann läuft es auch ohne Netz, in einem eigenen Fenster.
offer-install-yes = Installieren

## The dialog for setting up a position

editor-title = Stellung aufbauen
editor-tools =
    .aria-label = Was ein Klick auf einen Punkt setzt
editor-board =
    .aria-label = Brett zum Aufbauen
tool-white-ring = Weißer Ring
tool-black-ring = Schwarzer Ring
tool-white-marker = Weißer Stein
tool-black-marker = Schwarzer Stein
tool-erase = Löschen
editor-side = Am Zug
editor-standard = Standard
editor-blitz = Blitz
editor-won-white = Gewonnene Ringe: Weiß
editor-won-black = Schwarz
editor-text = Als Text
editor-empty = Brett leeren
editor-shown = Aktuelle Stellung
editor-copy = Text kopieren
analyze = Analysieren
editor-play = Von hier an spielen…
editor-playable = Spielbar. { $prompt }
editor-over = Das Spiel ist zu Ende. { $prompt }
editor-problem = Nicht spielbar: { $problem }.
position-copied = Stellung kopiert.
position-below = Kopiere die Stellung aus dem Feld unten.
link-copied = Link kopiert.
link-below = Kopiere den Link aus dem Feld unten.
not-now = Das geht gerade nicht: { $reason }

## The tutorial

tutorial-board =
    .aria-label = Übungsbrett
lessons =
    .aria-label = Lektionen
lesson-number = { $number }. { $title }
lesson-of = Lektion { $number } von { $count }
lesson-next = Weiter
lesson-hint = Tipp
lessons-done = Jetzt kannst du spielen.
task-place = Setzen
    .say = Weiß beginnt. Beide Spieler setzen fünf Ringe auf Punkte, an denen sich Linien kreuzen. Setze einen auf irgendeinen Punkt.
    .hint = Die Mitte ist ein guter Platz: Dort treffen sich die meisten Linien.
    .done = Das ist dein erster Ring.
task-move = Ziehen
    .say = Dann ziehen die Ringe. Wähle einen deiner weißen Ringe und dann einen Punkt auf einer Linie.
    .hint = Ein Ring gleitet über freie Punkte, aber nie über einen anderen Ring.
    .done = Wo dein Ring war, liegt jetzt ein Stein. Das ist bei jedem Zug so.
task-flip = Springen und umdrehen
    .say = Ein Ring darf über Steine springen. Er hält auf dem ersten freien Punkt dahinter, und alle werden umgedreht. Drehe beide schwarzen Steine mit einem Zug um.
    .hint = Der Ring auf d4 steht auf ihrer Linie.
    .done = Beide Steine sind jetzt weiß. Weiße Steine wären schwarz geworden. Der Stein, den du setzt, wird nicht umgedreht.
    .again = Das hat weniger als zwei Steine umgedreht. Springe über beide auf einmal.
task-row = Eine Reihe bilden
    .say = Dein Ziel ist eine Reihe: fünf Steine deiner Farbe. Vier hast du, und auf dem fünften Punkt steht dein Ring.
    .hint = Ziehe den Ring auf h8 weg: Er hinterlässt den fünften Stein. Klicke dann auf die Reihe und auf einen Ring.
    .done = Eine Reihe! Sie kommt mit einem deiner Ringe vom Brett. Dieser Ring ist dein Punkt.
    .again = Noch keine Reihe. Welcher Ring könnte den fünften Stein hinterlassen?
task-pay = Umdrehen für eine Reihe
    .say = Auch ein Sprung kann eine Reihe vervollständigen. Eine Reihe kostet dich einen Ring deiner Wahl, und mit weniger Ringen hast du weniger Züge. Gib einen Ring ab, den du nicht brauchst.
    .hint = Der Ring auf d4 kann über e5 springen. Der Ring auf c6 hat wenig zu tun.
    .done = Der umgedrehte Stein hat die Reihe vervollständigt. Der Ring ist dein Preis und dein Punkt.
    .again = Noch keine Reihe. Einer der fünf Steine ist schwarz: Springe darüber.
task-stop = Eine Reihe verhindern
    .say = Schwarz hat vier in einer Reihe und einen Ring, der den fünften Stein hinterlassen kann. Verhindere die Reihe.
    .hint = Springe über einen der vier Steine, um ihn umzudrehen. Dein Ring auf h9 steht auf einer Linie mit f7.
    .done = Ein umgedrehter Stein, und die Drohung ist weg.
    .again = Schwarz kann mit dem Ring auf f8 immer noch eine Reihe bilden. Drehe einen der vier Steine um.
task-gift = Das Geschenk deines Gegners
    .say = Der Zug von Schwarz hat eine Reihe deiner Steine vervollständigt. Sie gehört dir: Entferne sie mit einem Ring am Anfang deines Zuges. Ziehe dann wie gewohnt.
    .hint = Klicke auf die Reihe und dann auf einen Ring, den du nicht brauchst. Ziehe danach einen beliebigen Ring.
    .done = Du hast die Reihe vor deinem Zug entfernt. Achte darauf, was deine eigenen Züge dem Gegner schenken.
task-rows = Lange und gekreuzte Reihen
    .say = Sechs in einer Reihe, und eine andere Reihe kreuzt sie. Du entfernst eine Reihe nach der anderen und wählst ihre fünf Steine. Wähle so, dass beide zählen.
    .hint = Die Reihen kreuzen sich auf f3. Lass diesen Stein liegen: Entferne zuerst f4 bis f8, dann d1 bis h5.
    .done = Zwei Reihen in einem Zug: zwei Ringe. Ein Stein der langen Reihe wäre ohnehin geblieben.
    .again = Die erste Reihe hat den Stein auf f3 genommen, den die andere brauchte. Lass ihn auf dem Brett.
task-win = Gewinnen
    .say = Mit dem dritten entfernten Ring gewinnst du. Zwei hast du schon. Bilde noch eine Reihe.
    .hint = Einer der fünf Steine ist schwarz. Der Ring auf g8 kann darüber springen.
    .done = Drei Ringe: Du gewinnst.
    .again = Noch nicht. Welcher Sprung ergibt fünf weiße Steine?

## The help dialog

help-mouse-title = Maus und Finger
help-mouse = Klicke auf einen Ring und dann auf einen der Punkte, oder ziehe den Ring dorthin. Um eine Reihe zu entfernen, klicke auf ihren Griff oder auf ihre Steine, bis nur eine Reihe übrig ist; klicke dann auf diese Reihe oder auf <b>Entfernen</b>. Die rechte Maustaste zeichnet Pfeile. Ein Klick während einer Animation überspringt sie.
help-keys-title = Tasten
key-up-down = auf dem Brett: den Buchstaben entlang; sonst: andere Varianten
key-left-right = auf dem Brett: die Zahl entlang; sonst: einen Zug zurück oder vor
key-shift = auf dem Brett: die dritte Linie entlang
key-enter = den Punkt wählen oder die gewählte Reihe entfernen
key-n-p = auf dem Brett: nächste oder vorige Wahl; sonst: nächster oder voriger Fehler eines Rückblicks
key-escape = einen Schritt zurücknehmen
key-m-l = die Auswahl oder den letzten Zug vorlesen
key-comma = von überall einen Zug zurück oder vor
key-home = erste oder letzte Stellung
key-g-i = zum Brett oder zum Feld für Züge
key-u-r = den letzten Zug zurücknehmen oder noch einmal zeigen
key-h = ein Tipp in einer Partie gegen ein Programm; noch einmal drücken zeigt den Zug
key-f = das Brett drehen
key-a-t = Analyse, Drohung
key-d = einen Pfeil am Punkt beginnen oder beenden
key-help = diese Hilfe
help-text-title = Züge als Text
help-text = <i>f6</i> setzt einen Ring, <i>e4-e10</i> zieht einen, <i>xb3-b7xb2</i> entfernt die Reihe b3 bis b7 und den Ring auf b2. Ein Semikolon verbindet die Teile eines Zuges.

## In the tab Analysis: values of targets

worth-about = Die Zahl auf einem Ziel zeigt, wie viel Prozent deiner Gewinnchancen ein Zug dorthin kostet; × bedeutet alle. Ein gestrichelter Kreis ist eine erste Schätzung.
worth-nothing = verliert nichts
worth-loses = verliert { $share }
worth-short = nach kurzer Berechnung

## Pictures of the board

image-title = Bild
image-preview =
    .alt = Vorschau des Bildes
image-coordinates = Koordinaten
image-last = Letzter Zug
image-size = Größe
pixels = { $count } Pixel
image-delay = Zeit pro Zug im GIF
image-progress =
    .aria-label = Fortschritt des GIFs
save-svg = SVG speichern
save-png = PNG speichern
save-gif = Partie als GIF speichern
image-too-large = der Browser kann kein Bild dieser Größe erzeugen
image-canceled = Abgebrochen. Es wurde nichts gespeichert.
image-saved = Gespeichert als { $name } ({ $size }).

## While two engines play

watch =
    .aria-label = Zuschauen
watch-speed = Tempo
speed-slow = langsam
speed-normal = normal
speed-fast = schnell
watch-next = Die nächste Partie von selbst beginnen
watch-score = Stand { $first }:{ $second }

## The opening explorer

explorer-games = Partien
explorer-engine = des Programms
explorer-mine = hier gespeichert
explorer-turn = Zug
explorer-count = Partien
explorer-points = Punkte von Weiß
explorer-score = Bewertung
explorer-none = Von hier aus gibt es keine Partien.
explorer-none-mine = Von hier aus gibt es keine deiner beendeten Partien.
explorer-back = { $number ->
    [0] Zurück zum Anfang
   *[other] Zurück zu Zug { $number }
  }
explorer-symmetric = Symmetrische Züge werden zusammen gezählt.
explorer-most-played = Die { $shown } häufigsten von { $count }.
explorer-uncounted = { $count ->
    [one] Eine Partie konnte nicht gezählt werden.
   *[other] { $count } Partien konnten nicht gezählt werden.
  }
explorer-alike = und { $count } symmetrische
explorer-counting = { $number } von { $count } Partien gezählt…
explorer-fails = Die Tabelle ist nicht verfügbar: { $reason }
explorer-running = Die Partie läuft. Halte sie an, um einen Zug auszuprobieren.

## The coach

coach = Trainer
hint-search = Ein Tipp wird gesucht…
hint-show-turn = Zug zeigen
look-at-point = Schau auf { $point }.
look-at-ring = Schau auf den Ring auf { $point }.
look-at-row = Schau auf die Reihe { $first } bis { $last }.
look-at-paying-ring = Schau auf den Ring auf { $point }. Du kannst ihn für die Reihe entfernen.
look-at-pass = Kein Ring kann ziehen.
hint-turn = Vorschlag des Programms: { $turn }.
hint-back = Nimm zuerst deine Schritte zurück.
engine-cannot-say = Das Programm kann gerade nicht antworten.
coach-looks = Der Trainer prüft { $turn }…
coach-skip = Jetzt spielen
coach-blunder = { $turn } ist ein grober Fehler: Deine Gewinnchancen fallen von { $before } auf { $after }.
coach-reply = Der blaue Pfeil ist die beste Antwort, { $turn }.
coach-asks = Trotzdem spielen?
coach-play = Trotzdem spielen

## What is good or bad about a turn

row-ends = { $first } bis { $last }
fact-wins = Er gewinnt das Spiel.
fact-loses-next = { $opponent } kann danach mit { $turn } gewinnen.
fact-takes-rows = { $count ->
    [one] Er entfernt die Reihe { $rows }.
   *[other] Er entfernt die Reihen { $rows }.
  }
fact-gives-rows = { $count ->
    [one] Er vervollständigt die Reihe { $rows } von { $opponent }.
   *[other] Er vervollständigt die Reihen { $rows } von { $opponent }.
  }
fact-opens-row = Er erlaubt { $opponent } eine Reihe mit { $turn }.
fact-leaves-row = { $opponent } konnte eine Reihe bilden und kann es immer noch, mit { $turn }.
fact-stops-rows = Er verhindert eine Reihe von { $opponent }.
fact-misses-row = { $had ->
    [0] { $left ->
        [one] { $sideName } konnte mit { $turn } eine Reihe entfernen.
       *[other] { $sideName } konnte mit { $turn } { $left } Reihen entfernen.
      }
   *[other] { $sideName } konnte { $left } Reihen statt { $had } entfernen, mit { $turn }.
  }
fact-pays-other = { $count ->
    [one] Für dieselbe Reihe konnte { $sideName } den Ring auf { $rings } entfernen.
   *[other] Für dieselben Reihen konnte { $sideName } die Ringe auf { $rings } entfernen.
  }
fact-threatens = Er droht mit einer Reihe durch { $turn }.
fact-few-markers = { $left ->
    [0] Es sind keine Steine mehr übrig: Wer mehr Ringe entfernt hat, gewinnt.
    [one] Ein Stein ist noch übrig: Danach gewinnt, wer mehr Ringe entfernt hat.
   *[other] { $left } Steine sind noch übrig: Danach gewinnt, wer mehr Ringe entfernt hat.
  }
fours-new = { $left ->
    [one] Er schafft an einer Stelle vier Steine einer Reihe.
   *[other] Er schafft an { $left } Stellen vier Steine einer Reihe.
  }
fours-lost = { $had ->
    [one] { $sideName } hatte an einer Stelle vier Steine einer Reihe und hat jetzt keine mehr.
   *[other] { $sideName } hatte an { $had } Stellen vier Steine einer Reihe und hat jetzt keine mehr.
  }
fours-change = { $had ->
    [one] { $sideName } hatte an einer Stelle vier Steine einer Reihe und hat sie jetzt an { $left }.
   *[other] { $sideName } hatte an { $had } Stellen vier Steine einer Reihe und hat sie jetzt an { $left }.
  }

## The tab Review

review-progress =
    .aria-label = Fortschritt des Rückblicks
stop = Anhalten
review-puzzles = Fehler als Aufgaben
review-depth = Gründlichkeit
depth-quick = schnell
depth-normal = normal
depth-thorough = gründlich
review-several = Mehrere Partien…
review-begun = Der Rückblick hat begonnen.
review-done = Der Rückblick ist fertig. Genauigkeit: Weiß { $white }, Schwarz { $black }.
review-later = Nach der Partie möglich, oder wenn sie angehalten ist
review-again = Noch einmal prüfen
accuracy = Genauigkeit
mean-lost = Verlust
mean-lost-long = verlorene Chancen pro Zug
blunders = grobe Fehler
mistakes = Fehler
inaccuracies = Ungenauigkeiten
missed-rows = Verpasst
missed-rows-long = verpasste Reihen
turning-points = Wendepunkte
turning-point = { $number }. { $sideName } { $turn }: { $before } → { $after } für Weiß
finding-chances = { $sideName } von { $before } auf { $after }
better-is = Besser: { $turn }
next-mistake = Nächster Fehler ({ $count })
first-mistake = Erster Fehler
review-more = Mehr
accuracy-of = Genauigkeit: { $players }
label-fine = gut
label-best = die Wahl des Programms
finding-row-missed = Eine Reihe war möglich.
show-better = Zeigen
add-better-line = Bessere Variante einfügen
note-better = Besser.
note-better-chances = Besser: { $share } für Weiß.
retry = Selbst versuchen
retry-question = Finde einen besseren Zug für { $sideName } als { $turn }.
retry-thinking = Wird geprüft…
retry-best = Sehr gut! Das ist der Zug des Rückblicks.
retry-named = Der Zug des Rückblicks ist { $turn }.
retry-good = Gut.
retry-better = Besser.
retry-no-better = Nicht deutlich besser.
retry-compared = { $turn } verliert { $lost }; { $mistake } verlor { $before }.
retry-another = Es gibt einen noch besseren Zug.
retry-other = Einen anderen versuchen

## The strategy lessons

strategy-close = Lektionen schließen
strategy-task = { $sideName } ist am Zug. Übung { $number } von { $count }.
strategy-tempo = Tempo
    .say = Eine Drohung bestimmt, was dein Gegner als Nächstes tun muss. Ein Zug, der eine Reihe verhindert und zugleich mit einer droht, gewinnt ein Tempo. Suche den Ringzug, der beides tut.
strategy-mobility = Beweglichkeit
    .say = Wer wenige Züge hat, kann Reihen nur schwer bilden oder verhindern. Ringe springen nie über Ringe, also können deine Ringe Linien sperren. In jeder Übung lässt kein anderer Zug deinem Gegner weniger Züge.
strategy-saving = Ringe sparen
    .say = Jede Reihe kostet dich einen Ring, und die übrigen Ringe müssen die nächste Reihe bilden. Gib einen Ring ab, der wenig zu tun hat, und behalte die Ringe bei deinen Steinen. Der richtige Zug bildet eine Reihe, aber nur ein Ring ist der richtige Preis.
strategy-double = Doppeldrohungen
    .say = Eine Drohung lässt sich abwehren, zwei oft nicht. Eine Doppeldrohung besteht aus zwei möglichen Reihen oder aus einer Reihe, die sich auf mehrere Arten vervollständigen lässt. Finde den Zug, nach dem keine Antwort deine Reihe verhindert.
strategy-breaking = Eine Reihe brechen
    .say = Eine Reihe braucht fünf Steine einer Farbe, also bricht sie ein einziger umgedrehter Stein. Ein Sprung dreht alle Steine auf seinem Weg um, auch deine eigenen. Finde den Sprung, nach dem dein Gegner nicht sofort eine Reihe bilden kann.
strategy-forcing = Den Gegner zu deiner Reihe zwingen
    .say = Der Zug deines Gegners kann eine Reihe deiner Farbe vervollständigen. Dann entfernst du die Reihe und einen Ring noch vor deinem Zug. Finde den Zug, nach dem die beste Antwort deine Reihe bildet.
strategy-timing = Wann du deinen Ring nimmst
    .say = Eine Reihe nimmt einen deiner Ringe vom Brett, und danach hast du weniger Züge. Wenn auch dein Gegner mit einer Reihe droht, kann es mehr wert sein, sie zu verhindern. In jeder Übung könntest du sofort eine Reihe bilden, aber ein anderer Zug ist besser.
strategy-last = Der letzte Ring
    .say = Nach zwei entfernten Ringen gewinnt die nächste Reihe. Dein Gegner muss jede Drohung beantworten, also bestimmst du, was geschieht. Finde die Drohungen, die den letzten Ring erzwingen.
strategy-placing = Ringe setzen
    .say = Setze Ringe dorthin, wo sie ziehen können. Ein Ring nahe der Mitte erreicht mehr Punkte als einer am Rand. Finde den besten Punkt für den nächsten Ring.
strategy-endgame = Wenige Steine im Vorrat
    .say = Jeder Ringzug nimmt einen Stein aus dem Vorrat, und ohne Steine endet die Partie. Dann gewinnt, wer mehr Ringe entfernt hat. Zähle die Steine: Eine Drohung, die zu spät kommt, ist nichts wert.

## Puzzles

puzzle-next = Nächste Aufgabe
puzzle-show = Lösung
puzzle-theme = Thema
puzzle-rules = Nur neue Aufgaben ändern deine Wertung; Fehler aus deinen Partien tun es nicht. Ein falscher Zug, ein Tipp oder die Lösung zählt als nicht gelöst.
theme-mixed = Gemischt
theme-make-row = Eine Reihe bilden
theme-stop-row = Eine Reihe verhindern
theme-two-rows = Zwei Reihen
theme-break-and-make = Verhindern und bilden
theme-right-ring = Den richtigen Ring entfernen
theme-win = Erzwungener Gewinn
theme-opponents-row = Das Geschenk deines Gegners
theme-threaten-row = Mit einer Reihe drohen
theme-own = Fehler aus gespeicherten Partien
puzzle-task = { $sideName } ist am Zug. { $task }.
puzzle-task-rated = { $sideName } ist am Zug. { $task }. Wertung { $rating }.
win-in = { $count ->
    [one] Gewinn in einem Zug
   *[other] Gewinn in { $count } Zügen
  }
puzzle-find = Finde den einzigen richtigen Zug
puzzle-own = { $sideName } ist am Zug. Finde einen besseren Zug als in deiner Partie.
puzzle-own-from = { $sideName } ist am Zug. Finde einen besseren Zug als in { $game }.
puzzle-away = Auf dem Brett ist eine andere Partie.
puzzles-loading = Die Aufgaben werden geladen…
games-read-of = { $number } von { $count } Partien gelesen…
puzzle-no-mistakes = Noch keine Fehler. Spiele eine Partie, sieh dir den Rückblick an und komm wieder.
puzzle-games-fail = Die Partien können gerade nicht gelesen werden: { $reason }.
puzzle-hint-row = Entferne zuerst die Reihe { $first } bis { $last }.
puzzle-hint-move = Ziehe den Ring auf { $point }.
puzzle-hint-place = Setze einen Ring auf { $point }.
puzzle-solution = Lösung: { $turns }.
puzzle-right = Richtig.
puzzle-reply = Die Antwort…
puzzle-right-next = Richtig. Wie geht es weiter?
puzzle-wins = Das gewinnt.
puzzle-why = { $turn }: { $facts }
puzzle-wins-in = { $count ->
    [one] Es gewinnt in einem Zug.
   *[other] Es gewinnt in { $count } Zügen.
  }
puzzle-other-ring = Die Lösung war { $turn }, mit einem anderen Ring.
puzzle-as-good = { $turn } ist genauso gut.
puzzle-played = { $turn } ist der Zug, den du gespielt hast.
puzzle-wrong = { $turn } ist nicht die Lösung.
puzzle-slower = { $turn } gewinnt auch, aber langsamer.
puzzle-loses = { $count ->
    [one] { $turn } verliert: Danach gewinnt dein Gegner in einem Zug.
   *[other] { $turn } verliert: Danach gewinnt dein Gegner in { $count } Zügen.
  }
puzzle-not-it = { $turn } sieht gut aus, ist aber nicht die Lösung.
puzzle-mistake = { $turn } ist ein Fehler: Deine Gewinnchancen fallen von { $before } auf { $after }.
day-share = YINSH-Aufgabe des Tages, { $date }: gelöst
day-text = Dein Ergebnis zum Teilen
day-link-damaged = Das Datum in diesem Link ist beschädigt oder liegt in der Zukunft. Hier ist die heutige Aufgabe.
puzzle-rating = Deine Wertung: { $rating }. Serie { $streak }, beste { $best }. Gelöst { $solved } von { $count }.

## The moments in which a player lost most, in the tab Learn

moments-how = Hier hast du am meisten verloren. Finde einen besseren Zug.
moments-searching = Die Züge, die am meisten verloren haben, werden gesucht…
moments-none = Keiner deiner Züge hat 5 % oder mehr verloren.
moments-later = Heute gibt es nichts zu wiederholen. Der nächste Moment kommt am { $date } wieder.
moments-never = Es gibt nichts zu wiederholen.
moments-return = Verpasste Momente kommen nach 1, 3 und 7 Tagen wieder, im Reiter Lernen.
moments-unreviewed = Die Partie ist nicht ausgewertet.
moments-next = Nächster Moment
moments-list = Alle Momente
moment-found = Gefunden
moment-missed = Verpasst

## The puzzle rush, in the tab Learn

rush-today = Aufgabensturm des Tages
rush-of-date = Aufgabensturm vom { $date }
rush-how = Löse in drei Minuten so viele Aufgaben, wie du kannst. Der dritte Fehler beendet den Sturm. An jedem Tag bekommen alle dieselben Aufgaben, und sie werden schwerer.
rush-begin = Heutigen Sturm starten
rush-begin-date = Diesen Sturm starten
rush-practice = Üben
rush-stop = Beenden
rush-solved = { $count } gelöst
rush-streak = Tage in Folge: { $count }
rush-calendar = In den letzten 14 Tagen gelöste Aufgaben
rush-text = Das Ergebnis zum Teilen
rush-share = YINSH-Aufgabensturm, { $date }: { $count } gelöst
rush-link-damaged = Das Datum in diesem Link ist beschädigt oder liegt in der Zukunft. Hier ist der heutige Sturm.

## Challenges by link, in the tab Learn

challenge-how = Du spielst von einer Aufstellung der Ringe gegen eine Stufe und sendest dann einen Link. Dein Freund spielt von derselben Aufstellung gegen dieselbe Stufe, die gleiche Züge gleich beantwortet. Danach seht ihr beide Partien nebeneinander.
challenge-by = Herausforderung von { $name }
challenge-received = Du wirst herausgefordert
challenge-invites = Spiele Weiß gegen { $level } von derselben Aufstellung. Danach siehst du beide Partien nebeneinander.
challenge-accept = Spielen
challenge-measuring = Die Genauigkeit deiner Partie wird gemessen…
challenge-both = Die Partien nebeneinander
challenge-result = Ergebnis
challenge-won = { $mine }:{ $theirs } gewonnen
challenge-lost = { $mine }:{ $theirs } verloren
challenge-drawn = { $mine }:{ $theirs } unentschieden
challenge-resigned = aufgegeben
challenge-accuracy = Genauigkeit: { $level }
challenge-help = Mit Hilfe
challenge-yes = ja
challenge-no = nein
challenge-friend = Freund
challenge-see = { $name }: Partie ansehen
challenge-link = Der Text und der Link zum Senden
challenge-text = Ich habe YINSH gegen { $level } gespielt: { $result }, Genauigkeit { $accuracy }. Spiel von derselben Aufstellung:
challenge-answer = Meine Partie gegen { $level }: { $result }, Genauigkeit { $accuracy }. Beide Partien nebeneinander:
challenge-fault-long = Dieser Link ist länger, als eine Herausforderung sein kann. Bitte noch einmal um ihn.
challenge-fault-cut = Das Ende dieses Links fehlt. Bitte noch einmal um ihn, oder kopiere ihn ganz.
challenge-fault-damaged = Dieser Link wurde unterwegs verändert: Seine Prüfsumme stimmt nicht. Bitte noch einmal um ihn.
challenge-fault-version = Dieser Link ist von einer anderen Version der Seite. Lade die Seite neu und folge ihm noch einmal.
challenge-fault-invalid = Dieser Link ist keine Herausforderung.
challenge-fault-level = Diese Seite hat keine Stufe „{ $level }“.
challenge-fault-turns = Die Züge in diesem Link sind nicht erlaubt: { $reason }

## The dialog My rating

rating-date = Datum
rating-against = Gegner
rating-result = Ergebnis
rating-rating = Wertung
rating-about = Eine Partie zählt, wenn sie nach den Standardregeln gegen eine Stufe mit Wertung gespielt wird, vom ersten Zug bis zum Ende und ohne Hilfe: Tipps, Zurücknehmen, Pausen, Analyse, Eröffnungen oder Trainer. Kopien von Partien zählen nicht. Zufälliges Spiel hat die Wertung 0. Der Bereich nach ± enthält die wahre Wertung mit 95 % Wahrscheinlichkeit. Die Ergebnisse werden in diesem Browser und in Sicherungen gespeichert.
rating-after = { $count ->
    [one] { $rating }, nach einer Partie
   *[other] { $rating }, nach { $count } Partien
  }
rating-none = Noch keine Partie hat gezählt.
rating-now-counts = Die aktuelle Partie zählt.
rating-not-now = Die aktuelle Partie zählt nicht: { $reason }.
rating-not = Nicht gewertet: { $reason }.
rating-changed = Deine Wertung: { $rating } ({ $change }).
rating-provisional = { $rating }, vorläufig
rating-chart = { $count ->
    [one] Wertung nach einer Partie: erst { $first }, jetzt { $last }
   *[other] Wertung nach { $count } Partien: erst { $first }, jetzt { $last }
  }
game-won = gewonnen
game-drawn = unentschieden
game-lost = verloren
game-winner = { $sideName } gewann
not-rated-help = du hattest Hilfe ({ $help })
help-with-hints = Tipps
help-with-take-backs = Zurücknehmen
help-with-pauses = Pausen
help-with-the-analysis = Analyse
help-with-the-openings = Eröffnungen
help-with-the-coach = Trainer
help-with-a-copy = eine Kopie der Partie
not-rated-rules = Wertungen gelten für die Standardregeln
not-rated-start = sie begann nicht mit leerem Brett
not-rated-level = die Stufe { $level } hat keine Wertung
not-rated-unknown = { $engine } antwortet nicht, ob es nach einer Wertung spielen kann
not-rated-engine = { $engine } kann nicht nach einer Wertung spielen
rating-not-stored = Das Ergebnis kann gerade nicht für deine Wertung gespeichert werden ({ $reason }).

## The dialog for reviewing several games

reviews-title = Rückblick auf mehrere Partien
reviews-new = Neue auswählen
reviews-all = Alle
reviews-none = Keine
reviews-list =
    .aria-label = Partien für den Rückblick
reviews-progress =
    .aria-label = Fortschritt aller Rückblicke
reviews-summary =
    .aria-label = Zusammenfassung nach Spieler
my-games = Meine Partien
no-games-now = Partien können gerade nicht gespeichert oder gelesen werden: { $reason }
reviews-no-games = Es gibt keine Partien mit Zügen.
reviews-left-before = { $count ->
    [one] Eine Partie ist von vorher übrig.
   *[other] { $count } Partien sind von vorher übrig.
  }
show-more-of = { $more } weitere von { $count } zeigen
reviews-open = Genauigkeit { $accuracy }. { $game } öffnen
reviews-start = { $count ->
    [one] Eine Partie prüfen
   *[other] { $count } Partien prüfen
  }
reviews-begun = { $count ->
    [one] Eine Partie wird geprüft.
   *[other] { $count } Partien werden geprüft.
  }
game-of = Partie { $number } von { $count }.
may-be-closed = Du kannst diesen Dialog schließen oder den Tab verlassen.
reviews-done = { $count ->
    [one] Eine Partie geprüft.
   *[other] { $count } Partien geprüft.
  }
reviews-left = { $count ->
    [one] Eine Partie ist übrig. Drücke auf Prüfen, um fortzufahren.
   *[other] { $count } Partien sind übrig. Drücke auf Prüfen, um fortzufahren.
  }
reviews-failed = { $count ->
    [one] Eine Partie konnte nicht geprüft werden: { $reasons }.
   *[other] { $count } Partien konnten nicht geprüft werden: { $reasons }.
  }
a-game = eine Partie
game-being-played = sie wird gerade gespielt
game-damaged = sie ist beschädigt
game-gone = es gibt sie nicht mehr
game-without-turns = sie hat keine Züge
game-changed = sie hat sich geändert
game-open-elsewhere = sie ist in einem anderen Tab offen
reviews-elsewhere = Ein anderer Tab prüft gerade Partien.
column-player = Spieler
column-games = Partien
column-accuracy = Genauigkeit
column-blunders = Grobe Fehler
column-mistakes = Fehler
column-missed-rows = Verpasste Reihen

## The dialog Games

games-kept = In diesem Browser gespeichert
games-this = Diese Partie
games-open = Öffnen
save-all = Alle in einer Datei speichern
back-up = Alle sichern
games-review = Rückblick auf mehrere…
save-record = Protokoll speichern
save-sgf = SGF speichern
games-picture = Bild…
copy-record = Protokoll kopieren
copy-position = Stellung kopieren
formats = Protokolle und SGF-Dateien enthalten die ganze Partie: alle Varianten, Notizen, den Rückblick und die Uhren. Ein Link enthält die Züge einer Variante.
text-to-copy =
    .aria-label = Text zum Kopieren
open-file = Datei öffnen…
games-editor = Stellung aufbauen…
paste = Oder füge eine Stellung, Züge, ein Protokoll, SGF von Boardspace oder ein Protokoll von Board Game Arena ein:
open-text = Text öffnen
reading-progress =
    .aria-label = Fortschritt beim Lesen
record-copied = Protokoll kopiert.
record-below = Kopiere das Protokoll aus dem Feld unten.
saved-as = Gespeichert als { $name }.
games-read = { $count ->
    [one] Eine Partie gelesen
   *[other] { $count } Partien gelesen
  }
games-read-except = { $count ->
    [one] Eine Partie gelesen. Fehler:
   *[other] { $count } Partien gelesen. Fehler:
  }
and-more = und { $count } weitere.
games-none = Noch keine Partien.
list-open = offen
list-elsewhere = in einem anderen Tab
show-more = Mehr von { $count } zeigen
count-games = { $count ->
    [one] { $count } Partie
   *[other] { $count } Partien
  }
games-of = { $count ->
    [one] Eine Partie aus { $name }
   *[other] { $count } Partien aus { $name }
  }
delete = Löschen
delete-game = { $game } löschen
delete-all = Alle löschen
deleted = Gelöscht: { $what }.
not-restored = Die gelöschten Partien können gerade nicht wiederhergestellt werden: { $reason }.
games-written-of = { $number } von { $count } Partien geschrieben…
games-saved = { $count ->
    [one] Eine Partie gespeichert als { $name }.
   *[other] { $count } Partien gespeichert als { $name }.
  }
games-not-saved = { $count ->
    [one] Eine Partie konnte nicht gespeichert werden: { $reason }
   *[other] { $count } Partien konnten nicht gespeichert werden: { $reason }
  }
backup-without-results = Die Ergebnisse für deine Wertung waren nicht lesbar und fehlen.
backup-open = Öffne die Datei in einem beliebigen Browser, um die Partien wiederherzustellen.
games-added = { $count ->
    [one] Eine Partie hinzugefügt.
   *[other] { $count } Partien hinzugefügt.
  }
games-added-except = { $count ->
    [one] Eine Partie hinzugefügt; { $same } schon vorhanden.
   *[other] { $count } Partien hinzugefügt; { $same } schon vorhanden.
  }
not-a-game-file = Das ist keine Datei mit Partien.
file-is-utf16 = Diese Datei ist in UTF-16 gespeichert. Bitte als UTF-8 speichern.
file-is-compressed = Diese Datei ist komprimiert. Bitte erst entpacken.
pasted-games = Eingefügte Partien
line-too-long = Zeile { $line }: Dieser Text ist zu lang für eine Partie
game-number-error = Partie { $number }: { $reason }
not-a-backup = das ist keine Sicherung von Partien

## The tab for matches of engines

match-title = Wettkampf der Programme
match-match = Match
match-choice =
    .aria-label = Wettkampf
match-games =
    .aria-label = Partien des Wettkampfs
match-points = Punkte im Wettkampf: { $points }
match-progress =
    .aria-label = Fortschritt des Wettkampfs
match-delete = Diesen Wettkampf löschen
match-new = Neuer Wettkampf
match-limit = Pro Zug
limit-positions = { $count } Stellungen pro Zug
limit-seconds = { $count } s pro Zug
match-about = Partien kommen paarweise: Jede Eröffnung wird zweimal gespielt, mit vertauschten Farben. Eine Stufe spielt innerhalb der Grenze in ihrer eigenen Stärke.
first-player = Erster Spieler
second-player = Zweiter Spieler
player-engine = { $player }: Programm
player-level = { $player }: Stufe
engine-not-ready = das Programm ist noch nicht bereit
match-busy = Es kann nur ein Wettkampf laufen: { $match } läuft gerade.
match-game-turn = Partie { $number } von { $count }, Zug { $turn }.
match-counts = Gewonnen { $wins }, unentschieden { $draws }, verloren { $losses } von { $count } Partien mit { $limit }.
match-pairs = Paare nach den Punkten des ersten Spielers
match-elo = Elo-Unterschied für den ersten Spieler { $elo } ({ $share }: { $low } bis { $high }).
match-no-elo = Der Elo-Unterschied wird nach den ersten Paaren geschätzt.
too-many-orders-share = Zu viele Matches und Analysen laufen für deine Adresse. Beende eine davon.
match-superiority = Der erste Spieler ist mit einer Wahrscheinlichkeit von { $share } stärker.
less-than = weniger als { $share }
more-than = mehr als { $share }
match-open-game = { $score }, { $result } mit { $sideName }. Partie öffnen
match-failed = Der Wettkampf ist stehen geblieben: { $reason }.
match-over = Der Wettkampf ist zu Ende: { $score }.
match-stopped = Der Wettkampf ist angehalten. Du kannst ihn jederzeit fortsetzen.
match-deleted = Wettkampf { $match } gelöscht.
match-not-restored = Der Wettkampf { $match } kann gerade nicht wiederhergestellt werden: { $reason }.
match-of = Wettkampf { $match }
match-note = { $limit }; die ersten { $count } Züge sind die Eröffnung.
match-chart = Elo nach den Paaren { $first } bis { $last }; jetzt { $elo } ± { $error }
match-elsewhere = er läuft in einem anderen Tab
match-not-stored = eine Partie kann nicht gespeichert werden: { $reason }

## Games: finding stored games, and giving them names and tags

find-games =
    .aria-label = Partien suchen
find-words =
    .aria-label = Namen, Spieler und Schlagwörter suchen
    .placeholder = Name oder Schlagwort
find-player =
    .aria-label = Spieler
    .placeholder = Spieler
find-result =
    .aria-label = Ergebnis
find-source =
    .aria-label = Herkunft
outcome-any = Alle Ergebnisse
outcome-white = Weiß gewann
outcome-black = Schwarz gewann
outcome-draw = Unentschieden
outcome-open = Nicht beendet
source-any = Jede Herkunft
source-own = Hier gespielt
found-games = { $count ->
    [one] { $count } Partie gefunden
   *[other] { $count } Partien gefunden
  }
find-none = Keine Partie gefunden. Suche nach weniger Wörtern oder wähle alle Ergebnisse und jede Herkunft.
find-more = Mehr von { $count } zeigen
name-game = Name und Schlagwörter von { $title }
name-game-short = Name und Schlagwörter
game-name = Name
game-labels = Schlagwörter, durch Kommas getrennt
save-name = Speichern
name-elsewhere = Diese Partie ist in einem anderen Tab offen. Benenne sie dort.

## Why an engine has stopped, or refuses an option: parts of sentences. Words of the engine may follow in parentheses

wrong-engine-start = { $engine } kann nicht gestartet werden
wrong-engine-handshake = { $engine } spricht das Protokoll nicht
wrong-engine-died = { $engine } wurde unerwartet beendet
wrong-engine-closed = { $engine } hat seine Ausgabe geschlossen
wrong-engine-silent = { $engine } antwortet nicht
wrong-engine-late = { $engine } hat nicht rechtzeitig gezogen
wrong-engine-garbage = { $engine } hat gegen das Protokoll verstoßen
wrong-engine-illegal = { $engine } hat einen ungültigen Zug genannt
wrong-engine-position = { $engine } hat die Stellung nicht angenommen
wrong-engine-ended = { $engine } wurde beendet
wrong-engine-rejects = das Programm lehnt den Wert { $value } ab
wrong-option-string = die Option { $name } lässt sich nur auf der Befehlszeile des Programms setzen
wrong-option-button = die Option { $name } ist eine Taste und hat keinen Wert
wrong-option-most = die Option { $name } ist auf diesem Server höchstens { $most }
wrong-option-value = die Option { $name } kann nicht { $value } sein
wrong-option-unknown = das Programm hat keine Option { $name }
