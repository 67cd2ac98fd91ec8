# De woorden van de pagina in het Nederlands. De toelichting staat in de Engelse bestanden.

## Names of the sides

white = Wit
black = Zwart

## The top of the page

on-gyre = op Gyre
on-gyre-blitz = : blitz
menu =
    .aria-label = Menu
new-game = Nieuw spel
new-game-narrow = Nieuw
games = Partijen
settings = Opties
help = Help

## Above the board

game-area =
    .aria-label = Partij
connecting = Verbinden…
hint = Hint
    .title = Laat zien waar je moet kijken (h). Een partij met hints telt niet mee voor je rating.
turn-steps =
    .aria-label = Stappen van deze zet
waiting-for-name = { $sideName }: wachten op { $name }.
waiting-for-side = { $sideName }: wachten op de andere speler.
game-handed-over = Je partij is nu open in een ander tabblad.
board =
    .aria-label = Bord

prompt-of-side = { $sideName }: { $prompt }
prompt-your-turn = { $sideName }, jij bent aan zet: { $prompt }
ask-place = Plaats een ring ({ $number } van { $count }).
ask-move = Verplaats een van je ringen.
ask-target = Kies waar { $point } heen gaat.
ask-pass = Geen van je ringen kan zetten, dus je past.
# If the player wants to confirm turns
ask-confirm = Deze zet spelen?
ask-row = Verwijder je rij.
ask-five = Kies de vijf schijven die je verwijdert.
ask-row-of = Verwijder een rij ({ $number } van { $count }).
ask-ring = Verwijder nu een van je ringen.
ask-given-row = Je tegenstander heeft je rij afgemaakt. Verwijder die voordat je zet.
ask-given-five = Je tegenstander heeft je rij afgemaakt. Kies de vijf schijven die je verwijdert voordat je zet.
ask-given-row-of = Je tegenstander heeft rijen van je afgemaakt. Verwijder er een voordat je zet ({ $number } van { $count }).
ask-complete = De zet is compleet.
over-result = De partij is afgelopen. { $result }
looking-at-turn = Je bekijkt zet { $number } van de partij. { $words }
looking-at-start = Je bekijkt het begin van de partij.
side-engine-stopped = { $sideName }: { $engine } is gestopt. Herstart de engine om verder te spelen.
side-thinking = { $sideName }: { $engine } denkt na…
back-to-game = Terug naar de partij
play-on-here = Vanaf hier spelen
your-turn = Jij bent aan zet

step-place = Ring op { $to }
step-move = { $from } naar { $to }
step-pass = Passen
step-row = Rij { $first } t/m { $last }
step-ring = Ring op { $from }
step-then = , dan
step-take = verwijderen van de rij { $first } t/m { $last } en de ring op { $ring }

turn-sentence = { $sideName } { $acts }.
act-place = plaatst een ring op { $to }
act-move = { $count ->
    [0] gaat van { $from } naar { $to }
    [one] gaat van { $from } naar { $to }, draait één schijf om
   *[other] gaat van { $from } naar { $to }, draait { $count } schijven om
  }
act-pass = past omdat geen ring kan zetten
act-row = verwijdert de rij { $first } t/m { $last } en de ring op { $ring }

result-wins = { $sideName } wint met { $most }-{ $least }.
result-you-win = Je wint met { $most }-{ $least }!
result-you-lose = Je verliest met { $least }-{ $most }.
result-you-resigned = Je hebt opgegeven.
result-draw = Remise, { $most }-{ $least }.
result-time = De tijd van { $loser } is om: { $sideName } wint.
result-resignation = { $loser } heeft opgegeven: { $sideName } wint.
result-wins-by = { $sideName } wint ({ $why }).
result-draw-by = Remise ({ $why }).

## On the board, read out by screen readers

point-white-ring = witte ring
point-black-ring = zwarte ring
point-white-marker = witte schijf
point-black-marker = zwarte schijf
point-vacant = leeg
press-places = plaats je ring hier
press-picks = { $count ->
    [one] kan naar één punt
   *[other] kan naar { $count } punten
  }
picked = gekozen
press-moves = { $count ->
    [0] hierheen
    [one] hierheen, draait één schijf om
   *[other] hierheen, draait { $count } schijven om
  }
press-row = in een van je rijen
press-takes-row = in de gekozen rij, druk om die te verwijderen
press-takes-ring = verwijder deze ring
press-confirms = druk nog eens om hem te verwijderen
picked-point = { $point }, { $count ->
    [one] één doel
   *[other] { $count } doelen
  }.
confirm-ring = De ring op { $point } verwijderen? Druk er nog eens op, of op Verwijderen.
nothing-to-choose = Er is nu niets te kiezen.
choices-place = { $count ->
    [one] Eén leeg punt voor een ring.
   *[other] { $count } lege punten voor een ring.
  }
choices-rings = Ringen van { $sideName } die kunnen zetten: { $points }.
choices-targets = Van { $point }: { $targets }.
target-flips = { $point }, draait er { $count } om
choices-ring-for-row = Ringen die je kunt verwijderen: { $points }.
choices-pass = Geen ring kan zetten. Druk op Passen.
row-of-rows = Rij { $number } van { $count }, { $first } t/m { $last }.
arrow-from = Pijl vanaf { $point }: ga naar het eindpunt en druk nog eens op d.
arrow-drawn = Pijl van { $from } naar { $to } getekend.
arrow-removed = Pijl van { $from } naar { $to } gewist.
markers-left = { $count ->
    [one] schijf over
   *[other] schijven over
  }

## Below the board

choices =
    .aria-label = Keuze
choice-row = Rij { $first } t/m { $last }
row-enter = Rij { $first } t/m { $last }, Enter verwijdert die.
choice-row-of = Rij { $number } van { $count }: { $first } t/m { $last }
choice-ring = Ring op { $point }
choice-pass = Geen van je ringen kan zetten.
previous-row = Vorige rij
next-row = Volgende rij
take = Verwijderen
take-row = Deze rij verwijderen
take-ring = Deze ring verwijderen
pass = Passen
confirm = Spelen
step-back = Terug
step-through =
    .aria-label = Door de partij bladeren
go-first =
    .aria-label = Eerste stelling
    .title = Eerste stelling (Home)
go-back =
    .aria-label = Eén zet terug
    .title = Eén zet terug (←)
go-forward =
    .aria-label = Eén zet vooruit
    .title = Eén zet vooruit (→)
go-last =
    .aria-label = Laatste stelling
    .title = Laatste stelling (End)
take-back = Terug
take-back-button =
    .title = De laatste zet terugnemen (u)
replay = Herhalen
replay-button =
    .title = De laatste zet nog eens tonen (r)
# In a frame of another site: a link to the whole page
full-board = Volledig bord openen
flip-board = Draaien
flip-board-button =
    .title = Het bord draaien (f)
pause = Pauze
pause-game = Partij pauzeren
play-on = Verder
resign = Opgeven
resign-again = Opgeven? Nog eens.
has-resigned = { $sideName } heeft opgegeven.
taken-back = Zet teruggenomen.
no-turn-played = Er is geen zet gespeeld.
turn-unfinished = Maak eerst de zet af, of neem de laatste stap terug met Esc.

## The two players

you = Jij
name-you = { $name } (jij)
thinking = denkt na…
rings-won = { $count ->
    [one] { $rings } van { $count } ring gewonnen
   *[other] { $rings } van { $count } ringen gewonnen
  }
clock-of = Klok van { $sideName }: { $time }

## The tabs

game-details =
    .aria-label = Details van de partij
panels =
    .aria-label = Panelen
tab-end = Uitslag
tab-learn = Leren
# The badge on the tab Learn, for screen readers: the number of moments that are due
due-count = { $count } te herhalen
tab-turns = Zetten
tab-analysis = Analyse
tab-review = Terugblik
tall-panel =
    .title = Paneel vergroten

## The tab Result

end-review = Terugblik
end-challenge = Vergelijken en sturen
moments = Jouw drie momenten
end-rematch = Revanche
end-other = Wissel van kleur
end-level = Volgend niveau
end-level-named = Sterker: { $level }
end-level-easier = Makkelijker: { $level }
turns = { $count ->
    [one] { $count } zet
   *[other] { $count } zetten
  }
facts-markers = { $count ->
    [one] { $count } schijf over
   *[other] { $count } schijven over
  }
rules-name-standard = standaardregels
rules-name-blitz = blitzregels

## The levels

level-beginner = Beginner
level-novice = Leerling
level-casual = Recreatief
level-club = Clubspeler
level-strong = Sterk
level-expert = Expert
level-full-strength = Volle kracht
about-level-beginner = Kent de regels en weinig meer.
about-level-novice = Ziet rijen die er al liggen.
about-level-casual = Heeft een plan, maar ziet dingen over het hoofd.
about-level-club = Kijkt één zet vooruit en maakt minder fouten.
about-level-strong = Geeft weinig weg.
about-level-expert = Moeilijk te verslaan.
about-level-full-strength = Speelt zo goed als het kan binnen de tijd.

## The tab Learn

learn-by-playing = Al spelend leren
strategy = Strategie
puzzles = Puzzels
theme-day = Puzzel van de dag
rush = Puzzelrace
challenge = Daag een vriend uit
moments-due = Momenten om te herhalen
my-rating = Mijn rating
rules-goal = <b>YINSH</b> is een spel voor twee. Maak rijen van vijf schijven in jouw kleur. Elke rij levert je een van je ringen op: wie als eerste <b>drie ringen</b> heeft verwijderd, wint.
rules-goal-blitz = <b>YINSH</b> is een spel voor twee. Maak een rij van vijf schijven in jouw kleur. Die levert je een van je ringen op: wie als eerste <b>één ring</b> verwijdert, wint.
rules-place = <b>Plaatsen.</b> Wit begint. Om de beurt plaatsen de spelers elk vijf <b>ringen</b> op lege punten naar keuze.
rules-move = <b>Zetten.</b> Daarna verplaats je elke beurt een van je ringen langs een lijn. Waar de ring stond, blijft een <b>schijf</b> in jouw kleur achter. De ring schuift over lege punten. Hij mag over schijven springen en stopt dan op het eerste lege punt erachter. Over een andere ring gaat hij nooit.
rules-flip = <b>Omdraaien.</b> Alle schijven waar je overheen springt, worden omgedraaid: wit wordt zwart, zwart wordt wit. De schijf die je net hebt neergelegd, draait niet om.
rules-row = <b>Rij.</b> Vijf schijven van jouw kleur op een rij gaan van het bord, samen met een van je ringen. Die ring is je punt.
rules-rows = <b>Lange en kruisende rijen.</b> Liggen er meer dan vijf schijven op een rij, dan kies je er vijf. Heb je meerdere rijen, dan verwijder je ze een voor een, telkens met een ring. Een rij die een schijf aan een andere rij kwijtraakt, is geen rij meer.
rules-gift = <b>Rijen van je tegenstander.</b> Maakt jouw zet een rij van je tegenstander af, dan verwijdert je tegenstander die rij en een ring aan het begin van de volgende beurt. Daarna volgt een gewone zet.
rules-win = <b>Winnen.</b> Wie als eerste <b>drie</b> ringen heeft verwijderd, wint.
rules-win-blitz = <b>Winnen.</b> Dit is blitz: wie als eerste <b>één</b> ring verwijdert, wint. De eerste rij beslist dus.
rules-end = <b>Geen schijven meer.</b> Liggen alle 51 schijven op het bord, dan is de partij afgelopen: wie meer ringen heeft verwijderd, wint, en bij gelijke stand is het remise. Maakt jouw zet de laatste rij van beide spelers af, dan win jij, want jouw rij gaat als eerste van het bord. Kan geen van je ringen zetten, dan pas je.

picture-place = Ringen van beide spelers op punten waar lijnen elkaar kruisen
picture-move = Een ring is langs een lijn verplaatst en heeft een schijf achtergelaten
picture-flip = Een ring is over drie schijven gesprongen en die zijn allemaal omgedraaid
picture-row = Vijf witte schijven op een rij, en de witte ring die met ze van het bord gaat
picture-rows = Twee rijen witte schijven die elkaar kruisen
picture-gift = Een zwarte ring is over een schijf gesprongen en heeft een rij witte schijven afgemaakt
picture-win = Drie witte ringen
picture-end = Twee witte ringen en een zwarte

rules-watch = Twee engines spelen; jij kijkt toe.
rules-you-are = Je speelt met { $sideName }.
rules-both = Je speelt met beide kleuren.
rules-click = Kies een ring om te zien waar hij heen kan, en dan een stip. De vette regel zegt altijd wat je moet doen.

## The tab Analysis

engine = Engine
line-count = Varianten
threat = Dreiging
openings = Openingen
analysis-off = Zet de engine aan om de score, de beste varianten en pijlen op het bord te zien.
analysis-locked = De engine, dreigingen, openingen en de terugblik zijn vergrendeld tot deze partij is afgelopen. Toeschouwers hebben ze wel.
engine-choice =
    .aria-label = Engines die analyseren
engine-options = Engine-opties
option-threads = Threads
option-hash = Geheugen (MiB)
game-over = De partij is afgelopen.
thinks-own-turn = Denkt na over de eigen zet.
engine-busy = Bezig
engine-thinking = Denkt na…
engine-done = klaar
engine-taken = { $engine } is elders nodig
depth = diepte { $depth }
nodes = { $count } knopen
nodes-per-second = { $count }/s
line-number = Variant { $number }
whole-line = De hele variant tonen
or-turns = of { $turns }
threat-search = Dreiging zoeken…
threat-none = Geen dreiging.
threat-found = { $sideName } dreigt met { $turn }.
line-only-shown = De partij loopt, dus de variant wordt alleen getoond. Pauzeer de partij om hem uit te proberen.

## Scores

score-label = Score { $score }. { $words }
no-score-yet = Nog geen score
wins-in = { $count ->
    [one] { $sideName } wint in één zet
   *[other] { $sideName } wint in { $count } zetten
  }
white-chances = Winstkans van Wit: { $share }
graph-label = Winstkans van Wit tijdens de partij
graph-start = Begin
graph-turn = Zet { $number }, { $turn }
graph-chances = { $share } voor Wit ({ $score })
graph-no-score = geen score
graph-lost = { $share } verloren
label-inaccuracy = onnauwkeurigheid
label-mistake = fout
label-blunder = blunder
analysis-time = Tijd per stelling
scores-are-whites = Scores en winstkansen gelden voor Wit: boven nul en boven { $half } staat Wit beter.

## The tab Turns

turn-list =
    .aria-label = Zetten van de partij
no-turn-yet = Nog geen zet.
variation-from = Variant vanaf zet { $number }
turn-lost = { $share } verloren
row-missed = rij gemist
row-missed-title = Hier was een rij mogelijk
turns-deleted = De variant vanaf zet { $number } is verwijderd.
not-a-turn = ‘{ $text }’ is geen zet. Zetten zien eruit als f6, e4-e8 of e4-e8;xe4-e8f6.
not-possible-now = { $text } is nu niet mogelijk.
promote = Hoofdvariant maken
delete-turns = Vanaf hier verwijderen
turn-box = Zet
enter-turn = Spelen
note = Notitie bij deze zet

## The dialog for a new game

new-who = Spelers
new-engine = Jij en een engine
new-people = Twee mensen
new-engines = Twee engines
new-link = Een vriend, via links
new-link-how = Na elke zet stuur je je vriend een link. Er is geen server nodig en jullie hebben allebei alle tijd.
new-room = Een vriend, live
new-room-how = Je stuurt je vriend één link. Daarna zien jullie allebei elke zet meteen, op twee apparaten.
your-name = Je naam
new-side = Jij speelt
new-against = Tegenstander
engine-of = Engine voor { $sideName }
level-of = Niveau voor { $sideName }
level-choice = { $level } ({ $elo })
level-elo = Elo { $elo }; willekeurig spel is 0.
side-white-first = Wit, begint
side-black = Zwart
side-random = Willekeurig
new-rules = Regels
rules-standard = Standaard: drie ringen winnen
rules-blitz = Blitz: één ring wint
clock = Klok
clock-none = Geen
clock-choice = { $minutes } min + { $seconds } s
new-here = Begin met de stelling op het bord
match-of-engines = Enginematch…
cancel = Annuleren
new-start = Spelen

## Durations

seconds = { $count } s
minutes = { $count } min
no-limit = Onbeperkt

## Notices above the board, and their buttons

close = Sluiten
undo = Ongedaan maken
try-again = Opnieuw proberen
reload = Pagina herladen
trying-again = { $what } Nieuwe poging…
lost-server = De verbinding met de server van het bord is verbroken.
lost-program = Het programma van het bord is gestopt.
too-many-boards = Er zijn te veel borden open. Sluit een ander tabblad.
too-many-boards-share = Er zijn te veel borden open vanaf je adres. Sluit een ander tabblad.
too-many-engines = Er draaien te veel engines. Sluit een ander tabblad.
too-many-engines-share = Er draaien te veel engines voor je adres. Sluit een ander tabblad.
too-many-requests = Er wachten te veel verzoeken. Probeer het later opnieuw.
program-fails = Het programma van het bord werkt niet in deze browser ({ $why }).
worker-missing = de worker ervan kan niet worden geladen
downloading = Het programma van het bord wordt gedownload…
download = Downloaden
download-interrupted = Download onderbroken. Hij gaat verder zodra er weer internet is.
too-large = het bericht is te groot voor het bord
too-large-of = het bericht is groter dan { $most } KiB
engine-restarted = { $engine } is gecrasht en opnieuw gestart ({ $reason }).
engine-stopped = { $engine } is gestopt: { $reason }
engine-not-started = { $engine } kan niet worden gestart: { $reason }
restart-engine = { $engine } herstarten
new-version = Er is een nieuwe versie van het bord.
load-version = Laden
open-elsewhere = Deze partij is open in een ander tabblad.
open-copy = Kopie openen
continued-as-copy = Een ander tabblad heeft deze partij gewijzigd. Hier gaat de partij verder als kopie.
nothing-stored = Deze browser blokkeert sitegegevens, dus er wordt niets opgeslagen: partijen en opties blijven tot je dit tabblad sluit of opnieuw laadt.
link-damaged = Deze link is beschadigd. Kopieer hem opnieuw, helemaal.
game-not-stored = Deze partij kan nu niet worden opgeslagen: { $reason }. De partij is veilig zolang dit tabblad open is.
storage-full = de opslag van de browser is vol
storage-blocked = de browser blokkeert sitegegevens
storage-damaged = de database van de browser is beschadigd
not-allowed = de browser staat dit niet toe
error-other = onverwachte fout ({ $error })
save-as-file = Opslaan als bestand
repair = Database repareren
repaired = { $count ->
    [one] De database is gerepareerd. Eén partij is behouden.
   *[other] De database is gerepareerd. { $count } partijen zijn behouden.
  }
repaired-lost = { $count ->
    [one] Eén partij kon niet worden gelezen.
   *[other] { $count } partijen konden niet worden gelezen.
  }
not-repaired = De database kan niet worden gerepareerd. Sla deze partij op als bestand en wis de gegevens van deze site in de instellingen van de browser.
part-not-opened = { $part }: openen is mislukt, { $reason }.
part-not-loaded = { $part }: laden is mislukt, { $reason }.
no-connection = er is geen verbinding
other-version = het bord is bijgewerkt
bad-answer = de server antwoordde { $status }
bad-type = de server stuurt { $file } als { $type }, dus voert de browser het niet uit
part-tutorial = De uitleg
part-watch = De kijkbalk
part-review = De terugblik
part-pictures = De plaatjes bij de regels
part-sound = Geluid
part-settings = De opties
part-games = De lijst met partijen
part-image = Het venster voor afbeeldingen
part-worth = De waarden van de doelen
part-explorer = De openingsverkenner
part-editor = De stellingeditor
part-coach = De coach
part-rating = Je rating
part-strategy = De strategielessen
part-puzzles = De puzzels
part-rush = De puzzelrace
part-challenge = De uitdaging
part-moments = Jouw drie momenten
part-due = De momenten om te herhalen
part-reviews = De terugblik op meerdere partijen
part-match = De enginematch
part-offers = De aanbiedingen na een partij
part-remote = De partij met iemand elders
part-help = Help

## What is wrong with a position or a turn

fault-at = { $place }: { $reason }
place-line = regel { $number }
place-turn = zet { $number }
place-packet = pakket { $packet }, melding { $number }
wrong-empty = de tekst is leeg
wrong-no-game = de tekst bevat geen partij
wrong-too-long = de tekst is te lang
wrong-field-count = een stelling heeft drie velden (bord, kleur en stand), niet { $count }
wrong-column-count = het bord heeft { $count } kolommen in plaats van { $wanted }
wrong-column-sign = kolom { $column } bevat “{ $sign }”; alleen W, B, w, b en getallen zijn toegestaan
wrong-column-length = kolom { $column } moet { $wanted } punten hebben
wrong-bad-side = de kleur aan zet is w of b
wrong-bad-score = een stand bestaat uit de verwijderde ringen van Wit, een streepje en die van Zwart, bijvoorbeeld 0-0
wrong-many-markers = { $count } schijven op het bord; het spel heeft er { $most }
wrong-many-turns = meer dan { $most } zetten
wrong-waiting-row = de kleur die het laatst aan zet was, heeft de rij { $row } niet verwijderd
wrong-bad-removed = de partij eindigt bij { $most } verwijderde ringen; deze stand is onmogelijk
wrong-many-rings = een kleur heeft { $count } ringen, waarvan { $removed } verwijderd; het maximum is { $most }
wrong-early-pieces = voordat alle ringen geplaatst zijn, zijn er geen schijven en geen verwijderde ringen
wrong-early-side = met deze geplaatste ringen kan deze kleur niet aan zet zijn
wrong-not-a-turn = “{ $part }” is geen deel van een zet; schrijf f6, e4-e10, xb3-b7xb2 of pass
wrong-game-over = de partij is voor deze zet afgelopen
wrong-row-left = de rij { $row } moet eerst verwijderd worden
wrong-move-missing = de ringzet ontbreekt
wrong-no-row = er is geen rij { $row } om te verwijderen
wrong-no-ring = de kleur aan zet heeft geen ring op { $point }
wrong-cannot-pass = passen kan niet: een ring kan bewegen
wrong-all-placed = alle ringen zijn geplaatst: verplaats een ring
wrong-not-vacant = { $point } is niet vrij
wrong-not-placed = nog niet alle ringen zijn geplaatst: plaats een ring
wrong-cannot-move = de ring op { $from } kan niet naar { $to }
wrong-bad-rules = de regels zijn standard of blitz
wrong-bad-command = dit commando geeft geen stelling op
wrong-bad-point = “{ $point }” is geen punt van het bord
wrong-damaged = Gyres eigen gegevens in dit bestand, zoals varianten en notities, zijn beschadigd
wrong-other-side = { $side ->
    [b] Zwart is aan zet
   *[w] Wit is aan zet
  }
wrong-not-legal = dit mag niet
wrong-bad-tag = een kenmerk moet de vorm [Naam "waarde"] hebben
wrong-duplicate-tag = dit kenmerk komt twee keer voor
wrong-tag-inside = een kenmerk volgt op een partij zonder uitslag; sluit de partij af met een uitslag zoals 3-1 of met *
wrong-no-result = de partij eindigt zonder uitslag; schrijf er een zoals 3-1, of * als de partij niet af is
wrong-bad-result = “{ $text }” is geen uitslag; schrijf er een zoals 3-1, of *
wrong-wrong-result = deze uitslag past niet bij de zetten
wrong-other-result = deze uitslag wijkt af van die in het kenmerk Result
wrong-turn-number = verwacht werd zetnummer { $number }
wrong-variation = een partij in deze vorm heeft geen varianten; verwijder de haakjes met hun inhoud of gebruik SGF
wrong-open-comment = de sluitaccolade van dit commentaar ontbreekt
wrong-not-text = de tekst bevat ongeldige tekens
wrong-other-game = dit is een partij { $game }, geen YINSH
wrong-no-setup = de eigenschap SU, die het spel noemt, ontbreekt
wrong-no-parenthesis = een partij moet met “(” beginnen, niet met “{ $found }”
wrong-cut-file = het bestand eindigt midden in een partij
wrong-too-deep = er staan meer dan { $most } haakjes open
wrong-no-property = er werd een eigenschap verwacht in plaats van “{ $found }”
wrong-no-value = de eigenschap { $name } heeft geen waarde
wrong-open-bracket = deze vierkante haak wordt niet gesloten
wrong-not-a-log = dit is geen volledig verslag van een partij op Board Game Arena
wrong-no-moves = het verslag bevat geen YINSH-zetten
wrong-unknown-move = onbekende zet “{ $move }”
wrong-not-played = er is geen zet om terug te nemen
wrong-not-first = de eerste zet moet van { $name } zijn, die met Wit speelt
wrong-marker-elsewhere = de schijf ligt op { $marker }, maar de ring vertrekt van { $ring }
wrong-not-a-row = { $from } tot { $to } is geen rij van vijf
wrong-other-winner = het verslag noemt een andere winnaar dan de zetten
wrong-moves-missing = volgens het verslag is de partij afgelopen, maar er ontbreken zetten
