# Die Wörter der Seite auf Deutsch, soweit sie zuerst gebraucht werden. Die Erklärungen stehen in
# den englischen Dateien.

## Names of the sides

white = Weiß
black = Schwarz

## The top of the page

on-gyre = auf Gyre
on-gyre-blitz = : Blitz
menu =
    .aria-label = Menü
new-game = Neues Spiel
new-game-narrow = Neu
games = Partien
settings = Optionen
help = Hilfe

## Above the board

game-area =
    .aria-label = Spiel
connecting = Verbinden…
hint = Tipp
    .title = Zeigen, wo du hinschauen solltest (h). Eine Partie mit Tipps zählt nicht für deine Wertung.
turn-steps =
    .aria-label = Schritte dieses Zuges
waiting-for-name = { $sideName }: warten auf { $name }.
waiting-for-side = { $sideName }: warten auf den anderen Spieler.
game-handed-over = Deine Partie ist jetzt in einem anderen Tab offen.
board =
    .aria-label = Brett

prompt-of-side = { $sideName }: { $prompt }
prompt-your-turn = { $sideName }, du bist dran: { $prompt }
ask-place = Setze einen Ring ({ $number } von { $count }).
ask-move = Ziehe einen deiner Ringe.
ask-target = Wähle, wohin { $point } zieht.
ask-pass = Keiner deiner Ringe kann ziehen, also passt du.
# If the player wants to confirm turns
ask-confirm = Diesen Zug spielen?
ask-row = Entferne deine Reihe.
ask-five = Wähle die fünf Steine, die du entfernst.
ask-row-of = Entferne eine Reihe ({ $number } von { $count }).
ask-ring = Entferne jetzt einen deiner Ringe.
ask-given-row = Dein Gegner hat deine Reihe vervollständigt. Entferne sie, bevor du ziehst.
ask-given-five = Dein Gegner hat deine Reihe vervollständigt. Wähle die fünf Steine, die du entfernst, bevor du ziehst.
ask-given-row-of = Dein Gegner hat deine Reihen vervollständigt. Entferne eine, bevor du ziehst ({ $number } von { $count }).
ask-complete = Der Zug ist vollständig.
over-result = Das Spiel ist zu Ende. { $result }
looking-at-turn = Du siehst Zug { $number } der Partie. { $words }
looking-at-start = Du siehst den Anfang der Partie.
side-engine-stopped = { $sideName }: { $engine } ist stehen geblieben. Starte das Programm neu, um weiterzuspielen.
side-thinking = { $sideName }: { $engine } denkt nach…
back-to-game = Zurück zur Partie
play-on-here = Von hier an spielen
your-turn = Du bist dran

step-place = Ring auf { $to }
step-move = { $from } nach { $to }
step-pass = Passen
step-row = Reihe { $first } bis { $last }
step-ring = Ring auf { $from }
step-then = , dann
step-take = Entfernen der Reihe { $first } bis { $last } und des Rings auf { $ring }

turn-sentence = { $sideName } { $acts }.
act-place = setzt einen Ring auf { $to }
act-move = { $count ->
    [0] zieht von { $from } nach { $to }
    [one] zieht von { $from } nach { $to }, dreht einen Stein um
   *[other] zieht von { $from } nach { $to }, dreht { $count } Steine um
  }
act-pass = passt, weil kein Ring ziehen kann
act-row = entfernt die Reihe { $first } bis { $last } und den Ring auf { $ring }

result-wins = { $sideName } gewinnt { $most }:{ $least }.
result-you-win = Du gewinnst { $most }:{ $least }!
result-you-lose = Du verlierst { $least }:{ $most }.
result-you-resigned = Du hast aufgegeben.
result-draw = Unentschieden { $most }:{ $least }.
result-time = Die Zeit von { $loser } ist abgelaufen: { $sideName } gewinnt.
result-resignation = { $loser } hat aufgegeben: { $sideName } gewinnt.
result-wins-by = { $sideName } gewinnt ({ $why }).
result-draw-by = Unentschieden ({ $why }).

## On the board, read out by screen readers

point-white-ring = weißer Ring
point-black-ring = schwarzer Ring
point-white-marker = weißer Stein
point-black-marker = schwarzer Stein
point-vacant = frei
press-places = Ring hierher setzen
press-picks = { $count ->
    [one] kann auf einen Punkt ziehen
   *[other] kann auf { $count } Punkte ziehen
  }
picked = gewählt
press-moves = { $count ->
    [0] hierher ziehen
    [one] hierher ziehen, dreht einen Stein um
   *[other] hierher ziehen, dreht { $count } Steine um
  }
press-row = in einer deiner Reihen
press-takes-row = in der gewählten Reihe, drücken, um sie zu entfernen
press-takes-ring = diesen Ring entfernen
press-confirms = noch einmal drücken, um ihn zu entfernen
picked-point = { $point }, { $count ->
    [one] ein Ziel
   *[other] { $count } Ziele
  }.
confirm-ring = Den Ring auf { $point } entfernen? Drücke ihn noch einmal, oder Entfernen.
nothing-to-choose = Es gibt jetzt nichts zu wählen.
choices-place = { $count ->
    [one] Ein freier Punkt für einen Ring.
   *[other] { $count } freie Punkte für einen Ring.
  }
choices-rings = Ringe von { $sideName }, die ziehen können: { $points }.
choices-targets = Von { $point }: { $targets }.
target-flips = { $point }, dreht { $count } um
choices-ring-for-row = Ringe, die du entfernen kannst: { $points }.
choices-pass = Kein Ring kann ziehen. Drücke Passen.
row-of-rows = Reihe { $number } von { $count }, { $first } bis { $last }.
arrow-from = Pfeil von { $point }: Gehe zu seinem Ende und drücke noch einmal d.
arrow-drawn = Pfeil von { $from } nach { $to } gezeichnet.
arrow-removed = Pfeil von { $from } nach { $to } entfernt.
markers-left = { $count ->
    [one] Stein übrig
   *[other] Steine übrig
  }

## Below the board

choices =
    .aria-label = Auswahl
choice-row = Reihe { $first } bis { $last }
row-enter = Reihe { $first } bis { $last }, Enter entfernt sie.
choice-row-of = Reihe { $number } von { $count }: { $first } bis { $last }
choice-ring = Ring auf { $point }
choice-pass = Keiner deiner Ringe kann ziehen.
previous-row = Vorige Reihe
next-row = Nächste Reihe
take = Entfernen
take-row = Diese Reihe entfernen
take-ring = Diesen Ring entfernen
pass = Passen
confirm = Spielen
step-back = Zurück
step-through =
    .aria-label = Durch die Partie blättern
go-first =
    .aria-label = Erste Stellung
    .title = Erste Stellung (Pos1)
go-back =
    .aria-label = Einen Zug zurück
    .title = Einen Zug zurück (←)
go-forward =
    .aria-label = Einen Zug vor
    .title = Einen Zug vor (→)
go-last =
    .aria-label = Letzte Stellung
    .title = Letzte Stellung (Ende)
take-back = Zurück
take-back-button =
    .title = Den letzten Zug zurücknehmen (u)
replay = Noch mal
replay-button =
    .title = Den letzten Zug noch einmal zeigen (r)
# In a frame of another site: a link to the whole page
full-board = Vollansicht öffnen
flip-board = Drehen
flip-board-button =
    .title = Das Brett drehen (f)
pause = Pause
pause-game = Partie anhalten
play-on = Weiter
resign = Aufgeben
resign-again = Aufgeben? Nochmal.
has-resigned = { $sideName } hat aufgegeben.
taken-back = Zug zurückgenommen.
no-turn-played = Es wurde kein Zug gespielt.
turn-unfinished = Beende erst den Zug, oder nimm seinen letzten Schritt mit Esc zurück.

## The two players

you = Du
name-you = { $name } (du)
thinking = denkt nach…
rings-won = { $count ->
    [one] { $rings } von { $count } Ring gewonnen
   *[other] { $rings } von { $count } Ringen gewonnen
  }
clock-of = Uhr von { $sideName }: { $time }

## The tabs

game-details =
    .aria-label = Angaben zur Partie
panels =
    .aria-label = Bereiche
tab-end = Ergebnis
tab-learn = Lernen
# The badge on the tab Learn, for screen readers: the number of moments that are due
due-count = { $count } zu wiederholen
tab-turns = Züge
tab-analysis = Analyse
tab-review = Rückblick
tall-panel =
    .title = Bereich vergrößern

## The tab Result

end-review = Partie ansehen
end-challenge = Vergleichen und senden
moments = Deine drei Momente
end-rematch = Revanche
end-other = Seiten tauschen
end-level = Nächste Stufe
end-level-named = Stärker: { $level }
end-level-easier = Leichter: { $level }
turns = { $count ->
    [one] { $count } Zug
   *[other] { $count } Züge
  }
facts-markers = { $count ->
    [one] { $count } Stein übrig
   *[other] { $count } Steine übrig
  }
rules-name-standard = Standardregeln
rules-name-blitz = Blitzregeln

## The levels

level-beginner = Anfänger
level-novice = Einsteiger
level-casual = Gelegenheitsspieler
level-club = Vereinsspieler
level-strong = Stark
level-expert = Experte
level-full-strength = Volle Stärke
about-level-beginner = Kennt die Regeln und wenig mehr.
about-level-novice = Sieht Reihen, die schon da sind.
about-level-casual = Hat einen Plan, übersieht aber manches.
about-level-club = Schaut einen Zug voraus und macht weniger Fehler.
about-level-strong = Verschenkt wenig.
about-level-expert = Schwer zu schlagen.
about-level-full-strength = Spielt so gut, wie es in der Zeit geht.

## The tab Learn

learn-by-playing = Spielend lernen
strategy = Strategie
puzzles = Aufgaben
theme-day = Aufgabe des Tages
rush = Aufgabensturm
challenge = Freund herausfordern
moments-due = Momente zum Wiederholen
my-rating = Meine Wertung
rules-goal = <b>YINSH</b> ist ein Spiel für zwei. Bilde Reihen aus fünf Steinen deiner Farbe. Jede Reihe bringt dir einen deiner Ringe: Wer zuerst <b>drei Ringe</b> entfernt hat, gewinnt.
rules-goal-blitz = <b>YINSH</b> ist ein Spiel für zwei. Bilde eine Reihe aus fünf Steinen deiner Farbe. Sie bringt dir einen deiner Ringe: Wer zuerst <b>einen Ring</b> entfernt hat, gewinnt.
rules-place = <b>Setzen.</b> Weiß beginnt. Abwechselnd setzt jeder fünf <b>Ringe</b> auf beliebige freie Punkte.
rules-move = <b>Ziehen.</b> Danach zieht jeder Zug einen deiner Ringe eine Linie entlang. Wo er war, bleibt ein <b>Stein</b> deiner Farbe. Der Ring gleitet über freie Punkte. Er darf über Steine springen und hält auf dem ersten freien Punkt dahinter. Über einen Ring kommt er nie.
rules-flip = <b>Umdrehen.</b> Alle übersprungenen Steine werden umgedreht: Weiß wird Schwarz, Schwarz wird Weiß. Der eben gesetzte Stein wird nicht umgedreht.
rules-row = <b>Reihe.</b> Fünf Steine deiner Farbe in einer Reihe kommen vom Brett, und mit ihnen einer deiner Ringe. Dieser Ring ist dein Punkt.
rules-rows = <b>Lange und gekreuzte Reihen.</b> Liegen mehr als fünf Steine in einer Reihe, wählst du fünf davon. Hast du mehrere Reihen, entfernst du sie nacheinander, jede mit einem Ring. Verliert eine Reihe einen Stein an eine andere, ist sie keine Reihe mehr.
rules-gift = <b>Reihen deines Gegners.</b> Vervollständigt dein Zug eine Reihe deines Gegners, entfernt er sie und einen Ring am Anfang seines Zuges. Dann zieht er wie gewohnt.
rules-win = <b>Gewinnen.</b> Wer zuerst <b>drei</b> Ringe entfernt hat, gewinnt.
rules-win-blitz = <b>Gewinnen.</b> Dies ist Blitz: Wer zuerst <b>einen</b> Ring entfernt, gewinnt. Die erste Reihe entscheidet also.
rules-end = <b>Keine Steine mehr.</b> Liegen alle 51 Steine auf dem Brett, endet das Spiel: Wer mehr Ringe entfernt hat, gewinnt, bei Gleichstand ist es unentschieden. Vervollständigt dein Zug die letzte Reihe beider Spieler, gewinnst du, denn deine Reihe kommt zuerst vom Brett. Kann keiner deiner Ringe ziehen, passt du.

picture-place = Ringe beider Spieler auf Punkten, an denen sich Linien kreuzen
picture-move = Ein Ring ist eine Linie entlang gezogen und hat einen Stein hinterlassen
picture-flip = Ein Ring ist über drei Steine gesprungen, und alle wurden umgedreht
picture-row = Fünf weiße Steine in einer Reihe und der weiße Ring, der mit ihnen vom Brett kommt
picture-rows = Zwei Reihen weißer Steine, die sich kreuzen
picture-gift = Ein schwarzer Ring ist über einen Stein gesprungen und hat eine Reihe weißer Steine vervollständigt
picture-win = Drei weiße Ringe
picture-end = Zwei weiße Ringe und ein schwarzer

rules-watch = Zwei Programme spielen; du schaust zu.
rules-you-are = Du spielst { $sideName }.
rules-both = Du spielst beide Seiten.
rules-click = Wähle einen Ring, um zu sehen, wohin er ziehen kann, und dann einen Punkt. Die fette Zeile sagt immer, was als Nächstes zu tun ist.

## The tab Analysis

engine = Programm
line-count = Varianten
threat = Drohung
openings = Eröffnungen
analysis-off = Schalte das Programm ein, um seine Bewertung, die besten Varianten und Pfeile auf dem Brett zu sehen.
analysis-locked = Programm, Drohungen, Eröffnungen und Rückblick sind gesperrt, bis diese Partie zu Ende ist. Zuschauer haben sie.
engine-choice =
    .aria-label = Programme, die analysieren
engine-options = Einstellungen des Programms
option-threads = Threads
option-hash = Speicher (MiB)
game-over = Das Spiel ist zu Ende.
thinks-own-turn = Denkt über den eigenen Zug nach.
engine-busy = Beschäftigt
engine-thinking = Denkt nach…
engine-done = fertig
engine-taken = { $engine } wird anderswo gebraucht
depth = Tiefe { $depth }
nodes = { $count } Knoten
nodes-per-second = { $count }/s
line-number = Variante { $number }
whole-line = Ganze Variante zeigen
or-turns = oder { $turns }
threat-search = Drohung wird gesucht…
threat-none = Keine Drohung.
threat-found = { $sideName } droht mit { $turn }.
line-only-shown = Die Partie läuft, deshalb wird die Variante nur gezeigt. Halte die Partie an, um sie auszuprobieren.

## Scores

score-label = Bewertung { $score }. { $words }
no-score-yet = Noch keine Bewertung
wins-in = { $count ->
    [one] { $sideName } gewinnt in einem Zug
   *[other] { $sideName } gewinnt in { $count } Zügen
  }
white-chances = Chancen von Weiß: { $share }
graph-label = Chancen von Weiß im Lauf der Partie
graph-start = Anfang
graph-turn = Zug { $number }, { $turn }
graph-chances = { $share } für Weiß ({ $score })
graph-no-score = keine Bewertung
graph-lost = { $share } verloren
label-inaccuracy = Ungenauigkeit
label-mistake = Fehler
label-blunder = grober Fehler
analysis-time = Zeit pro Stellung
scores-are-whites = Bewertungen und Chancen gelten für Weiß: Über null und über { $half } steht Weiß besser.

## The tab Turns

turn-list =
    .aria-label = Züge der Partie
no-turn-yet = Noch kein Zug.
variation-from = Variante ab Zug { $number }
turn-lost = { $share } verloren
row-missed = Reihe verpasst
row-missed-title = Hier war eine Reihe möglich
turns-deleted = Die Variante ab Zug { $number } wurde gelöscht.
not-a-turn = „{ $text }“ ist kein Zug. Züge sehen so aus: f6, e4-e8 oder e4-e8;xe4-e8f6.
not-possible-now = { $text } ist jetzt nicht möglich.
promote = Zur Hauptvariante machen
delete-turns = Ab hier löschen
turn-box = Zug
enter-turn = Spielen
note = Notiz zu diesem Zug

## The dialog for a new game

new-who = Spieler
new-engine = Du und ein Programm
new-people = Zwei Personen
new-engines = Zwei Programme
new-link = Ein Freund, per Link
new-link-how = Nach jedem deiner Züge schickst du deinem Freund einen Link. Das braucht keinen Server, und ihr habt beide so viel Zeit, wie ihr wollt.
new-room = Ein Freund, live
new-room-how = Du schickst deinem Freund einen einzigen Link. Danach seht ihr beide jeden Zug sofort, auf zwei Geräten.
your-name = Dein Name
new-side = Du spielst
new-against = Gegner
engine-of = Programm für { $sideName }
level-of = Stufe für { $sideName }
level-choice = { $level } ({ $elo })
level-elo = Elo { $elo }; zufälliges Spiel ist 0.
side-white-first = Weiß, beginnt
side-black = Schwarz
side-random = Zufall
new-rules = Regeln
rules-standard = Standard: Drei Ringe gewinnen
rules-blitz = Blitz: Ein Ring gewinnt
clock = Uhr
clock-none = Keine
clock-choice = { $minutes } min + { $seconds } s
new-here = Mit der Stellung auf dem Brett beginnen
match-of-engines = Wettkampf…
cancel = Abbrechen
new-start = Spielen

## Durations

seconds = { $count } s
minutes = { $count } min
no-limit = Ohne Grenze

## Notices above the board, and their buttons

close = Schließen
undo = Rückgängig
try-again = Noch einmal
reload = Seite neu laden
trying-again = { $what } Neuer Versuch…
lost-server = Die Verbindung zum Server des Bretts ist unterbrochen.
lost-program = Das Programm des Bretts ist stehen geblieben.
too-many-boards = Zu viele Bretter sind offen. Schließe einen anderen Tab.
too-many-boards-share = Zu viele Bretter sind von deiner Adresse offen. Schließe einen anderen Tab.
too-many-engines = Zu viele Engines laufen. Schließe einen anderen Tab.
too-many-engines-share = Zu viele Engines laufen für deine Adresse. Schließe einen anderen Tab.
too-many-requests = Zu viele Anfragen warten. Versuche es später noch einmal.
program-fails = Das Programm des Bretts läuft in diesem Browser nicht ({ $why }).
worker-missing = sein Worker kann nicht geladen werden
downloading = Das Programm des Bretts wird geladen…
download = Laden
download-interrupted = Das Laden wurde unterbrochen. Es geht weiter, sobald das Netz wieder da ist.
too-large = die Nachricht ist zu groß für das Brett
too-large-of = die Nachricht ist größer als { $most } KiB
engine-restarted = { $engine } ist abgestürzt und wurde neu gestartet ({ $reason }).
engine-stopped = { $engine } ist stehen geblieben: { $reason }
engine-not-started = { $engine } lässt sich nicht starten: { $reason }
restart-engine = { $engine } neu starten
new-version = Eine neue Version des Bretts ist da.
load-version = Laden
open-elsewhere = Diese Partie ist in einem anderen Tab offen.
open-copy = Eine Kopie öffnen
continued-as-copy = Ein anderer Tab hat diese Partie geändert. Sie geht hier als Kopie weiter.
nothing-stored = Dieser Browser sperrt Websitedaten, deshalb wird nichts gespeichert: Partien und Einstellungen bleiben, bis du diesen Tab schließt oder neu lädst.
link-damaged = Dieser Link ist beschädigt. Kopiere ihn noch einmal, und zwar ganz.
game-not-stored = Diese Partie kann gerade nicht gespeichert werden: { $reason }. Sie ist sicher, solange dieser Tab offen ist.
storage-full = der Speicher des Browsers ist voll
storage-blocked = der Browser sperrt Websitedaten
storage-damaged = die Datenbank des Browsers ist beschädigt
not-allowed = der Browser erlaubt das nicht
error-other = unerwarteter Fehler ({ $error })
save-as-file = Als Datei speichern
repair = Datenbank reparieren
repaired = { $count ->
    [one] Die Datenbank wurde repariert. Eine Partie blieb erhalten.
   *[other] Die Datenbank wurde repariert. { $count } Partien blieben erhalten.
  }
repaired-lost = { $count ->
    [one] Eine Partie war nicht lesbar.
   *[other] { $count } Partien waren nicht lesbar.
  }
not-repaired = Die Datenbank lässt sich nicht reparieren. Speichere diese Partie als Datei und lösche die Daten dieser Website in den Einstellungen des Browsers.
part-not-opened = { $part }: lässt sich nicht öffnen, { $reason }.
part-not-loaded = { $part }: lässt sich nicht laden, { $reason }.
no-connection = keine Verbindung
other-version = das Brett wurde aktualisiert
bad-answer = der Server antwortete { $status }
bad-type = der Server sendet { $file } als { $type }, darum führt der Browser sie nicht aus
part-tutorial = Die Einführung
part-watch = Die Leiste zum Zuschauen
part-review = Der Rückblick
part-pictures = Die Bilder zu den Regeln
part-sound = Ton
part-settings = Einstellungen
part-games = Die Liste der Partien
part-image = Der Dialog für Bilder
part-worth = Die Werte der Ziele
part-explorer = Die Eröffnungen
part-editor = Der Stellungseditor
part-coach = Der Trainer
part-rating = Deine Wertung
part-strategy = Die Strategielektionen
part-puzzles = Die Aufgaben
part-rush = Der Aufgabensturm
part-challenge = Die Herausforderung
part-moments = Deine drei Momente
part-due = Die Momente zum Wiederholen
part-reviews = Der Rückblick auf mehrere Partien
part-match = Der Wettkampf der Programme
part-offers = Die Angebote nach einer Partie
part-remote = Die Partie mit jemandem anderswo
part-help = Hilfe

## What is wrong with a position or a turn

fault-at = { $place }: { $reason }
place-line = Zeile { $number }
place-turn = Zug { $number }
place-packet = Paket { $packet }, Nachricht { $number }
wrong-empty = der Text ist leer
wrong-no-game = der Text enthält keine Partie
wrong-too-long = der Text ist zu lang
wrong-field-count = eine Stellung hat drei Felder (Brett, Seite und Stand), nicht { $count }
wrong-column-count = das Brett hat { $count } Spalten statt { $wanted }
wrong-column-sign = Spalte { $column } enthält „{ $sign }“; erlaubt sind nur W, B, w, b und Zahlen
wrong-column-length = Spalte { $column } muss { $wanted } Punkte haben
wrong-bad-side = die Seite am Zug ist w oder b
wrong-bad-score = ein Stand besteht aus den entfernten Ringen von Weiß, einem Bindestrich und denen von Schwarz, zum Beispiel 0-0
wrong-many-markers = { $count } Steine auf dem Brett; das Spiel hat { $most }
wrong-many-turns = mehr als { $most } Züge
wrong-waiting-row = wer zuletzt gezogen hat, hat die Reihe { $row } nicht entfernt
wrong-bad-removed = die Partie endet mit { $most } entfernten Ringen; dieser Stand ist unmöglich
wrong-many-rings = eine Seite hat { $count } Ringe, davon { $removed } entfernt; erlaubt sind { $most }
wrong-early-pieces = bevor alle Ringe gesetzt sind, gibt es weder Steine noch entfernte Ringe
wrong-early-side = mit diesen gesetzten Ringen kann diese Seite nicht am Zug sein
wrong-not-a-turn = „{ $part }“ ist kein Teil eines Zuges; schreibe f6, e4-e10, xb3-b7xb2 oder pass
wrong-game-over = die Partie ist vor diesem Zug zu Ende
wrong-row-left = zuerst muss die Reihe { $row } entfernt werden
wrong-move-missing = der Ringzug fehlt
wrong-no-row = es gibt keine Reihe { $row } zu entfernen
wrong-no-ring = die Seite am Zug hat keinen Ring auf { $point }
wrong-cannot-pass = Passen ist nicht möglich: Ein Ring kann ziehen
wrong-all-placed = alle Ringe sind gesetzt: Ziehe einen Ring
wrong-not-vacant = { $point } ist nicht frei
wrong-not-placed = noch sind nicht alle Ringe gesetzt: Setze einen Ring
wrong-cannot-move = der Ring auf { $from } kann nicht nach { $to } ziehen
wrong-bad-rules = die Regeln sind standard oder blitz
wrong-bad-command = dieser Befehl gibt keine Stellung an
wrong-bad-point = „{ $point }“ ist kein Punkt des Bretts
wrong-damaged = Gyres eigene Daten in dieser Datei, etwa Varianten und Notizen, sind beschädigt
wrong-other-side = { $side ->
    [b] Schwarz ist am Zug
   *[w] Weiß ist am Zug
  }
wrong-not-legal = das ist nicht erlaubt
wrong-bad-tag = eine Angabe muss die Form [Name "Wert"] haben
wrong-duplicate-tag = diese Angabe kommt zweimal vor
wrong-tag-inside = eine Angabe folgt auf eine Partie ohne Ergebnis; beende die Partie mit einem Ergebnis wie 3-1 oder mit *
wrong-no-result = die Partie endet ohne Ergebnis; schreibe eines wie 3-1 oder *, wenn die Partie nicht zu Ende ist
wrong-bad-result = „{ $text }“ ist kein Ergebnis; schreibe eines wie 3-1 oder *
wrong-wrong-result = dieses Ergebnis passt nicht zu den Zügen
wrong-other-result = dieses Ergebnis weicht von der Angabe Result ab
wrong-turn-number = erwartet wird die Zugnummer { $number }
wrong-variation = eine Partie in dieser Form hat keine Varianten; entferne die Klammern samt Inhalt oder nimm SGF
wrong-open-comment = diesem Kommentar fehlt die schließende geschweifte Klammer
wrong-not-text = der Text enthält ungültige Zeichen
wrong-other-game = das ist eine Partie { $game }, nicht YINSH
wrong-no-setup = die Eigenschaft SU, die das Spiel nennt, fehlt
wrong-no-parenthesis = eine Partie muss mit „(“ beginnen, nicht mit „{ $found }“
wrong-cut-file = die Datei endet mitten in einer Partie
wrong-too-deep = mehr als { $most } Klammern sind offen
wrong-no-property = erwartet wird eine Eigenschaft, nicht „{ $found }“
wrong-no-value = die Eigenschaft { $name } hat keinen Wert
wrong-open-bracket = diese eckige Klammer wird nicht geschlossen
wrong-not-a-log = das ist kein vollständiges Protokoll einer Partie von Board Game Arena
wrong-no-moves = das Protokoll enthält keine YINSH-Züge
wrong-unknown-move = unbekannter Zug „{ $move }“
wrong-not-played = es gibt keinen Zug, der zurückgenommen werden kann
wrong-not-first = den ersten Zug muss { $name } mit Weiß machen
wrong-marker-elsewhere = der Stein liegt auf { $marker }, aber der Ring zieht von { $ring }
wrong-not-a-row = { $from } bis { $to } ist keine Fünferreihe
wrong-other-winner = das Protokoll nennt einen anderen Sieger als die Züge
wrong-moves-missing = laut Protokoll ist die Partie zu Ende, aber es fehlen Züge
