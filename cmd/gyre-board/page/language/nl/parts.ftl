# De woorden in het Nederlands van de onderdelen die de pagina later laadt.

## The dialog for the settings

settings-title = Opties
done = Klaar
setting-language = Taal
setting-auto = Zoals systeem
setting-board = Bord
board-blue = Blauwgrijs
board-wood = Hout
board-slate = Donkere leisteen
setting-theme = Paginakleuren
theme-light = Licht
theme-dark = Donker
setting-motion = Animatie
motion-on = Altijd
motion-off = Nooit
setting-confirm = Zetten bevestigen
confirm-people = In partijen met mensen
confirm-always = Altijd
setting-side = Mijn kant
side-bottom = Onderaan
side-white-bottom = Wit onderaan
setting-coach = Coach, in partijen zonder rating
setting-off = Uit
coach-on = Waarschuwt voor een blunder
setting-sound = Geluid
sound-on = Aan

## Games against a person at another browser

remote-bar =
    .aria-label = Partij met iemand elders
remote-share = Link sturen…
share-kinds = Waar de link voor is
share-to-play = Om te spelen
share-to-watch = Om te kijken
share-link =
    .aria-label = Link
share-send = Delen…
copy-link = Link kopiëren
share-qr = QR-code
share-code = QR-code van de link
copy-text = Kopiëren
text-copied = Gekopieerd.
text-copy-it = Kopieer de geselecteerde tekst.
resign-question = Deze partij opgeven?
your-opponent = je tegenstander
link-invite = Nodig een vriend uit
link-invite-how = Stuur deze link. Je vriend opent hem in een willekeurige browser, doet de eerste zet en stuurt je een link terug.
link-send = Stuur je zet naar { $who }
link-send-how = De link bevat de partij met jouw zet. Krijg je een link terug, open die dan in deze browser.
link-your-turn = Jij bent aan zet. Stuur { $who } daarna de link.
link-their-turn = Wachten op de link van { $who }.
link-over = De partij is afgelopen.
link-own = Dit is de link met je eigen zet. Stuur hem naar je tegenstander, die is nu aan zet.
link-older = Deze link is ouder dan je partij. Het bord toont de laatste zet.
link-other = Deze link sluit niet aan op je partij: de zetten zijn anders. Je partij is ongewijzigd.
link-open-apart = Apart openen
room-entering = Kamer betreden…
room-invite = Nodig een vriend uit
room-invite-how = Wie de eerste link opent, speelt tegen jou. Houd deze pagina open of kom later terug: er gaat geen zet verloren.
room-watch = Nodig toeschouwers uit
room-watch-how = Wie deze link opent, kan de partij volgen.
room-off = Dit bord heeft geen kamers. De server moet worden gestart met -rooms FILE.
room-gone = Deze kamer bestaat niet. De kamer is gesloten of de link is onvolledig.
room-full = Er zijn te veel kamers open. Probeer het later nog eens.
room-crowded = Er kijken te veel mensen naar deze partij.
room-seat = Met deze link heb je geen plek in de kamer. Vraag om een link om te spelen of te kijken.
room-over = De partij is afgelopen.
room-moved = De partij is intussen verdergegaan. Het bord toont de laatste zet.
room-paused = De server kan op dit moment geen zetten opslaan. Alle klokken staan stil en er gaat geen zet verloren.
room-share = Er zijn te veel kamers geopend vanaf je adres. Probeer het later opnieuw.
room-wait = Wachten tot je tegenstander de link opent.
room-here = { $who } is er.
room-away = { $who } is niet verbonden.
room-spectator = Je kijkt toe.
room-watching = { $count ->
    [one] { $count } toeschouwer.
   *[other] { $count } toeschouwers.
  }
room-rematch = Revanche met verwisselde kleuren?

## Offers after a game

offer-sound = Wil je de stukken horen?
offer-sound-yes = Geluid aanzetten
offer-install = Installeer het bord op dit apparaat. Dan werkt het offline, in een eigen venster.
offer-install-yes = Installeren

## The dialog for setting up a position

editor-title = Stelling opzetten
editor-tools =
    .aria-label = Wat een klik op een punt zet
editor-board =
    .aria-label = Bord om op te zetten
tool-white-ring = Witte ring
tool-black-ring = Zwarte ring
tool-white-marker = Witte schijf
tool-black-marker = Zwarte schijf
tool-erase = Wissen
editor-side = Aan zet
editor-standard = standaard
editor-blitz = blitz
editor-won-white = Ringen gewonnen door Wit
editor-won-black = door Zwart
editor-text = Als tekst
editor-empty = Bord leegmaken
editor-shown = Huidige stelling
editor-copy = Tekst kopiëren
analyze = Analyseren
editor-play = Vanaf hier spelen…
editor-playable = Speelbaar. { $prompt }
editor-over = De partij is afgelopen. { $prompt }
editor-problem = Niet speelbaar: { $problem }.
position-copied = Stelling gekopieerd.
position-below = Kopieer de stelling uit het veld hieronder.
link-copied = Link gekopieerd.
link-below = Kopieer de link uit het veld hieronder.
not-now = Dit kan nu niet: { $reason }

## The tutorial

tutorial-board =
    .aria-label = Oefenbord
lessons =
    .aria-label = Lessen
lesson-number = { $number }. { $title }
lesson-of = Les { $number } van { $count }
lesson-next = Volgende
lesson-hint = Hint
lessons-done = Nu weet je hoe je speelt.
task-place = Plaatsen
    .say = Wit begint. Beide spelers plaatsen vijf ringen op punten waar lijnen elkaar kruisen. Plaats er ergens een.
    .hint = Het midden is een goede plek: daar komen de meeste lijnen samen.
    .done = Dat is je eerste ring.
task-move = Zetten
    .say = Daarna worden de ringen verplaatst. Kies een van je witte ringen en dan een punt langs een lijn.
    .hint = Een ring schuift over lege punten, maar nooit over een andere ring.
    .done = Waar je ring stond, ligt nu een schijf. Dat gebeurt bij elke zet.
task-flip = Springen en omdraaien
    .say = Een ring mag over schijven springen. Hij stopt op het eerste lege punt erachter en alle schijven draaien om. Draai beide zwarte schijven om in één zet.
    .hint = De ring op d4 staat met ze op één lijn.
    .done = Beide schijven zijn nu wit. Witte schijven waren zwart geworden. De schijf die je neerlegt, draait niet om.
    .again = Je hebt er minder dan twee omgedraaid. Spring over beide tegelijk.
task-row = Maak een rij
    .say = Je doel is een rij: vijf schijven van jouw kleur. Je hebt er vier, en je ring staat op het vijfde punt.
    .hint = Zet de ring op h8 weg: hij laat de vijfde schijf achter. Klik dan op de rij en op een ring.
    .done = Een rij! Die gaat van het bord, samen met een van je ringen. Die ring is je punt.
    .again = Nog geen rij. Welke ring kan de vijfde schijf achterlaten?
task-pay = Een rij door omdraaien
    .say = Ook met een sprong kun je een rij afmaken. Een rij kost je een ring naar keuze, en met minder ringen heb je minder zetten. Geef een ring op die je niet nodig hebt.
    .hint = De ring op d4 kan over e5 springen. De ring op c6 heeft weinig te doen.
    .done = De omgedraaide schijf maakte de rij af. De ring is je prijs en je punt.
    .again = Nog geen rij. Een van de vijf schijven is zwart: spring eroverheen.
task-stop = Voorkom een rij
    .say = Zwart heeft er vier op een rij en een ring die de vijfde schijf kan achterlaten. Voorkom de rij.
    .hint = Spring over een van de vier schijven om hem om te draaien. Je ring op h9 staat op één lijn met f7.
    .done = Eén schijf omgedraaid, en de dreiging is weg.
    .again = Zwart kan nog steeds een rij maken met de ring op f8. Draai een van de vier schijven om.
task-gift = Cadeau van je tegenstander
    .say = De zet van Zwart heeft een rij van jouw schijven afgemaakt. Die is van jou: verwijder de rij met een ring aan het begin van je beurt. Doe daarna een gewone zet.
    .hint = Klik op de rij en dan op een ring die je niet nodig hebt. Verplaats daarna een ring naar keuze.
    .done = Je hebt de rij verwijderd vóór je zet. Let op wat je eigen zetten aan je tegenstander geven.
task-rows = Lange en kruisende rijen
    .say = Zes op een rij, en een andere rij kruist die. Je verwijdert één rij tegelijk en kiest de vijf schijven. Kies zo dat beide rijen tellen.
    .hint = De rijen kruisen elkaar op f3. Laat die schijf liggen: verwijder eerst f4 t/m f8, dan d1 t/m h5.
    .done = Twee rijen in één zet: twee ringen. Eén schijf van de lange rij was hoe dan ook blijven liggen.
    .again = De eerste rij nam de schijf op f3 mee, en de andere rij had die nodig. Laat hem op het bord.
task-win = Winnen
    .say = Met de derde ring die je verwijdert, win je de partij. Je hebt er al twee verwijderd. Maak nog één rij.
    .hint = Een van de vijf schijven is zwart. De ring op g8 kan eroverheen springen.
    .done = Drie ringen: je wint.
    .again = Nog niet. Met welke sprong krijg je vijf witte schijven?

## The help dialog

help-mouse-title = Muis en aanraken
help-mouse = Klik op een ring en dan op een van de stippen, of sleep de ring erheen. Om een rij te verwijderen klik je op de greep ervan, of op de schijven tot er één rij overblijft; klik dan op die rij of op <b>Verwijderen</b>. Met de rechtermuisknop teken je pijlen. Een klik tijdens een animatie slaat die over.
help-keys-title = Toetsen
key-up-down = op het bord: langs de letter; elders: andere varianten
key-left-right = op het bord: langs het cijfer; elders: één zet terug of vooruit
key-shift = op het bord: langs de derde lijn
key-enter = het punt kiezen of de gekozen rij verwijderen
key-n-p = op het bord: volgende of vorige keuze; elders: volgende of vorige fout van een terugblik
key-escape = één stap terugnemen
key-m-l = de keuzes of de laatste zet voorlezen
key-comma = één zet terug of vooruit, overal
key-home = eerste of laatste stelling
key-g-i = naar het bord of naar het invoerveld voor zetten
key-u-r = de laatste zet terugnemen of herhalen
key-h = een hint in een partij tegen een engine; druk nog eens om de zet te zien
key-f = het bord draaien
key-a-t = analyse, dreiging
key-d = een pijl op het punt beginnen of eindigen
key-help = deze hulp
help-text-title = Zetten als tekst
help-text = <i>f6</i> plaatst een ring, <i>e4-e10</i> verplaatst er een, <i>xb3-b7xb2</i> verwijdert de rij b3 t/m b7 en de ring op b2. Een puntkomma verbindt de delen van een zet.

## What the targets of a picked ring lose

worth-about = Het getal op een doel laat zien hoeveel procent van je winstkans die zet kost; × is alles. Een gestippelde cirkel is een eerste schatting.
worth-nothing = verliest niets
worth-loses = verliest { $share }
worth-short = na kort rekenen

## The dialog for pictures of the board

image-title = Afbeelding
image-preview =
    .alt = Voorbeeld van de afbeelding
image-coordinates = Coördinaten
image-last = Laatste zet
image-size = Formaat
pixels = { $count } pixels
image-delay = Tijd per zet in de GIF
image-progress =
    .aria-label = Voortgang van de GIF
save-svg = SVG opslaan
save-png = PNG opslaan
save-gif = Partij als GIF opslaan
image-too-large = de browser kan geen afbeelding van dit formaat maken
image-canceled = Geannuleerd. Er is niets opgeslagen.
image-saved = Opgeslagen als { $name } ({ $size }).

## The bar above the tabs while two engines play

watch =
    .aria-label = Kijken
watch-speed = Snelheid
speed-slow = langzaam
speed-normal = normaal
speed-fast = snel
watch-next = De volgende partij automatisch starten
watch-score = Stand { $first }-{ $second }

## The opening explorer

explorer-games = Partijen
explorer-engine = van de engine
explorer-mine = hier opgeslagen
explorer-turn = Zet
explorer-count = Partijen
explorer-points = Punten Wit
explorer-score = Score
explorer-none = Geen enkele partij gaat vanaf hier verder.
explorer-none-mine = Geen van je voltooide partijen gaat vanaf hier verder.
explorer-back = { $number ->
    [0] Terug naar het begin
   *[other] Terug naar zet { $number }
  }
explorer-symmetric = Symmetrische zetten worden samen geteld.
explorer-most-played = De { $shown } meest gespeelde van { $count }.
explorer-uncounted = { $count ->
    [one] Eén partij kon niet worden geteld.
   *[other] { $count } partijen konden niet worden geteld.
  }
explorer-alike = en { $count } symmetrisch
explorer-counting = { $number } van { $count } partijen geteld…
explorer-fails = De tabel is niet beschikbaar: { $reason }
explorer-running = De partij loopt. Pauzeer de partij om een zet uit te proberen.

## The coach

coach = Coach
hint-search = Hint zoeken…
hint-show-turn = De zet tonen
look-at-point = Kijk naar { $point }.
look-at-ring = Kijk naar de ring op { $point }.
look-at-row = Kijk naar de rij { $first } t/m { $last }.
look-at-paying-ring = Kijk naar de ring op { $point }. Die kun je voor de rij verwijderen.
look-at-pass = Geen ring kan zetten.
hint-turn = De engine stelt voor: { $turn }.
hint-back = Neem eerst je stappen terug.
engine-cannot-say = De engine kan nu niet antwoorden.
coach-looks = De coach kijkt naar { $turn }…
coach-skip = Nu spelen
coach-blunder = { $turn } is een blunder: je winstkans daalt van { $before } naar { $after }.
coach-reply = De blauwe pijl is het beste antwoord, { $turn }.
coach-asks = Toch spelen?
coach-play = Toch spelen

## What is good or bad about a turn

row-ends = { $first } t/m { $last }
fact-wins = De zet wint de partij.
fact-loses-next = { $opponent } kan daarna winnen met { $turn }.
fact-takes-rows = { $count ->
    [one] De zet verwijdert de rij { $rows }.
   *[other] De zet verwijdert de rijen { $rows }.
  }
fact-gives-rows = { $count ->
    [one] De zet maakt de rij { $rows } af voor { $opponent }.
   *[other] De zet maakt de rijen { $rows } af voor { $opponent }.
  }
fact-opens-row = De zet laat { $opponent } een rij maken met { $turn }.
fact-leaves-row = { $opponent } kon een rij maken en kan dat nog steeds, met { $turn }.
fact-stops-rows = De zet voorkomt een rij van { $opponent }.
fact-misses-row = { $had ->
    [0] { $left ->
        [one] { $sideName } kon een rij verwijderen met { $turn }.
       *[other] { $sideName } kon { $left } rijen verwijderen met { $turn }.
      }
   *[other] { $sideName } kon { $left } rijen in plaats van { $had } verwijderen met { $turn }.
  }
fact-pays-other = { $count ->
    [one] Voor dezelfde rij kon { $sideName } de ring op { $rings } verwijderen.
   *[other] Voor dezelfde rijen kon { $sideName } de ringen op { $rings } verwijderen.
  }
fact-threatens = De zet dreigt met een rij door { $turn }.
fact-few-markers = { $left ->
    [0] Er zijn geen schijven meer over: wie meer ringen heeft verwijderd, wint.
    [one] Er is nog één schijf over: daarna wint wie meer ringen heeft verwijderd.
   *[other] Er zijn nog { $left } schijven over: daarna wint wie meer ringen heeft verwijderd.
  }
fours-new = { $left ->
    [one] De zet maakt op één plek vier van een rij.
   *[other] De zet maakt op { $left } plekken vier van een rij.
  }
fours-lost = { $had ->
    [one] { $sideName } had op één plek vier van een rij en nu nergens meer.
   *[other] { $sideName } had op { $had } plekken vier van een rij en nu nergens meer.
  }
fours-change = { $had ->
    [one] { $sideName } had op één plek vier van een rij en nu op { $left }.
   *[other] { $sideName } had op { $had } plekken vier van een rij en nu op { $left }.
  }

## The tab Review

review-progress =
    .aria-label = Voortgang van de terugblik
stop = Stoppen
review-puzzles = Fouten als puzzels
review-depth = Diepte
depth-quick = snel
depth-normal = normaal
depth-thorough = grondig
review-several = Meerdere partijen…
review-begun = De terugblik is begonnen.
review-done = De terugblik is klaar. Nauwkeurigheid: Wit { $white }, Zwart { $black }.
review-later = Beschikbaar na de partij of als die gepauzeerd is
review-again = Opnieuw beoordelen
accuracy = Nauwkeurigheid
mean-lost = Verlies
mean-lost-long = verloren winstkans per zet
blunders = blunders
mistakes = fouten
inaccuracies = onnauwkeurigheden
missed-rows = Gemist
missed-rows-long = gemiste rijen
turning-points = Keerpunten
turning-point = { $number }. { $sideName } { $turn }: { $before } → { $after } voor Wit
finding-chances = { $sideName } van { $before } naar { $after }
better-is = Beter: { $turn }
next-mistake = Volgende fout ({ $count })
first-mistake = Eerste fout
review-more = Meer
accuracy-of = Nauwkeurigheid: { $players }
label-fine = goed
label-best = de keuze van de engine
finding-row-missed = Er was een rij mogelijk.
show-better = Tonen
add-better-line = Betere variant toevoegen
note-better = Beter.
note-better-chances = Beter: { $share } voor Wit.
retry = Opnieuw proberen
retry-question = Zoek een betere zet voor { $sideName } dan { $turn }.
retry-thinking = Controleren…
retry-best = Goed zo! Dat is de zet van de terugblik.
retry-named = De zet van de terugblik is { $turn }.
retry-good = Goed.
retry-better = Beter.
retry-no-better = Niet duidelijk beter.
retry-compared = { $turn } verliest { $lost }; { $mistake } verloor { $before }.
retry-another = Er is een nog betere zet.
retry-other = Probeer een andere

## The strategy lessons

strategy-close = Lessen sluiten
strategy-task = { $sideName } aan zet. Oefening { $number } van { $count }.
strategy-tempo = Tempo
    .say = Een dreiging bepaalt wat je tegenstander nu moet doen. Een zet die een rij voorkomt en tegelijk met een rij dreigt, wint een tempo. Zoek de ringzet die beide doet.
strategy-mobility = Beweeglijkheid
    .say = Wie weinig zetten heeft, kan moeilijk een rij maken of voorkomen. Ringen springen nooit over ringen, dus jouw ringen kunnen lijnen blokkeren. In elke oefening laat geen andere zet je tegenstander minder zetten.
strategy-saving = Ringen sparen
    .say = Elke rij kost je een ring, en de overige ringen moeten de volgende rij maken. Geef een ring op die weinig te doen heeft, en houd de ringen bij je schijven. De juiste zet maakt een rij, maar slechts één ring is de juiste prijs.
strategy-double = Dubbele dreigingen
    .say = Eén dreiging kun je stoppen, twee vaak niet. Een dubbele dreiging bestaat uit twee mogelijke rijen, of uit één rij die je op meer manieren kunt voltooien. Vind de zet waarna geen antwoord je rij voorkomt.
strategy-breaking = Een rij breken
    .say = Een rij heeft vijf schijven van één kleur nodig, dus één omgedraaide schijf breekt haar. Een sprong draait alle schijven op zijn weg om, ook die van jou. Vind de sprong waarna je tegenstander niet meteen een rij kan maken.
strategy-forcing = Je tegenstander dwingen je rij te maken
    .say = De zet van je tegenstander kan een rij van jouw kleur voltooien. Je verwijdert dan de rij en een ring nog vóór je zet. Vind de zet waarna het beste antwoord jouw rij maakt.
strategy-timing = Wanneer je je ring neemt
    .say = Een rij neemt een van je ringen van het bord, en daarna heb je minder zetten. Als je tegenstander ook met een rij dreigt, kan het meer waard zijn die te voorkomen. In elke oefening kun je meteen een rij maken, maar is een andere zet beter.
strategy-last = De laatste ring
    .say = Na twee verwijderde ringen wint de volgende rij. Je tegenstander moet elke dreiging beantwoorden, dus jij bepaalt wat er gebeurt. Vind de dreigingen die de laatste ring afdwingen.
strategy-placing = Ringen plaatsen
    .say = Plaats ringen waar ze kunnen bewegen. Een ring bij het midden bereikt meer punten dan een ring aan de rand. Vind het beste punt voor de volgende ring.
strategy-endgame = Weinig schijven over
    .say = Elke ringzet neemt een schijf uit de voorraad, en zonder schijven is de partij afgelopen. Dan wint wie meer ringen heeft verwijderd. Tel de schijven: een dreiging die te laat komt, is niets waard.

## Puzzles

puzzle-next = Volgende puzzel
puzzle-show = Oplossing
puzzle-theme = Thema
puzzle-rules = Alleen nieuwe puzzels veranderen je rating; fouten uit je partijen niet. Een foute zet, een hint of de oplossing telt als niet opgelost.
theme-mixed = Gemengd
theme-make-row = Maak een rij
theme-stop-row = Voorkom een rij
theme-two-rows = Twee rijen
theme-break-and-make = Breken en maken
theme-right-ring = Verwijder de juiste ring
theme-win = Gedwongen winst
theme-opponents-row = Cadeau van je tegenstander
theme-threaten-row = Dreig met een rij
theme-own = Fouten uit opgeslagen partijen
puzzle-task = { $sideName } aan zet. { $task }.
puzzle-task-rated = { $sideName } aan zet. { $task }. Rating { $rating }.
win-in = { $count ->
    [one] Win in één zet
   *[other] Win in { $count } zetten
  }
puzzle-find = Vind de enige juiste zet
puzzle-own = { $sideName } aan zet. Zoek een betere zet dan in je partij.
puzzle-own-from = { $sideName } aan zet. Zoek een betere zet dan in { $game }.
puzzle-away = Er staat een andere partij op het bord.
puzzles-loading = Puzzels laden…
games-read-of = { $number } van { $count } partijen gelezen…
puzzle-no-mistakes = Nog geen fouten. Speel een partij, bekijk de terugblik en kom terug.
puzzle-games-fail = De partijen kunnen nu niet worden gelezen: { $reason }.
puzzle-hint-row = Verwijder eerst de rij { $first } t/m { $last }.
puzzle-hint-move = Verplaats de ring op { $point }.
puzzle-hint-place = Plaats een ring op { $point }.
puzzle-solution = Oplossing: { $turns }.
puzzle-right = Goed.
puzzle-reply = Het antwoord…
puzzle-right-next = Goed. En nu?
puzzle-wins = Dat wint.
puzzle-why = { $turn }: { $facts }
puzzle-wins-in = { $count ->
    [one] Dat wint in één zet.
   *[other] Dat wint in { $count } zetten.
  }
puzzle-other-ring = De oplossing was { $turn }, met een andere ring.
puzzle-as-good = { $turn } is net zo goed.
puzzle-played = { $turn } is de zet die je hebt gespeeld.
puzzle-wrong = { $turn } is niet de oplossing.
puzzle-slower = { $turn } wint ook, maar langzamer.
puzzle-loses = { $count ->
    [one] { $turn } verliest: je tegenstander wint daarna in één zet.
   *[other] { $turn } verliest: je tegenstander wint daarna in { $count } zetten.
  }
puzzle-not-it = { $turn } ziet er goed uit, maar is niet de oplossing.
puzzle-mistake = { $turn } is een fout: je winstkans daalt van { $before } naar { $after }.
day-share = YINSH-puzzel van de dag, { $date }: opgelost
day-text = Je resultaat om te delen
day-link-damaged = De datum in deze link is beschadigd of moet nog komen. Dit is de puzzel van vandaag.
puzzle-rating = Je rating: { $rating }. Reeks { $streak }, beste { $best }. { $solved } van { $count } opgelost.

## The moments in which a player lost most, in the tab Learn

moments-how = Hier verloor je het meest. Zoek een betere zet.
moments-searching = De zetten die het meest verloren worden gezocht…
moments-none = Geen van je zetten verloor 5% of meer.
moments-later = Vandaag is er niets te herhalen. Het volgende moment komt terug op { $date }.
moments-never = Er is niets te herhalen.
moments-return = Gemiste momenten komen na 1, 3 en 7 dagen terug, in het tabblad Leren.
moments-unreviewed = De partij is niet beoordeeld.
moments-next = Volgend moment
moments-list = Alle momenten
moment-found = Gevonden
moment-missed = Gemist

## The puzzle rush, in the tab Learn

rush-today = Puzzelrace van de dag
rush-of-date = Puzzelrace van { $date }
rush-how = Los zo veel puzzels op als je kunt in drie minuten. De derde fout beëindigt de race. Elke dag krijgt iedereen dezelfde puzzels, en ze worden moeilijker.
rush-begin = Race van vandaag starten
rush-begin-date = Deze race starten
rush-practice = Oefenen
rush-stop = Stoppen
rush-solved = { $count } opgelost
rush-streak = Dagen op rij: { $count }
rush-calendar = Opgeloste puzzels in de laatste 14 dagen
rush-text = Het resultaat om te delen
rush-share = YINSH-puzzelrace, { $date }: { $count } opgelost
rush-link-damaged = De datum in deze link is beschadigd of moet nog komen. Dit is de race van vandaag.

## Challenges by link, in the tab Learn

challenge-how = Je speelt vanaf een opstelling van ringen tegen een niveau en stuurt daarna een link. Je vriend speelt vanaf dezelfde opstelling tegen hetzelfde niveau, dat gelijke zetten gelijk beantwoordt. Daarna zien jullie beide partijen naast elkaar.
challenge-by = Een uitdaging van { $name }
challenge-received = Je wordt uitgedaagd
challenge-invites = Speel wit tegen { $level } vanaf dezelfde opstelling. Daarna zie je beide partijen naast elkaar.
challenge-accept = Spelen
challenge-measuring = De nauwkeurigheid van je partij wordt gemeten…
challenge-both = De partijen naast elkaar
challenge-result = Uitslag
challenge-won = { $mine }–{ $theirs } gewonnen
challenge-lost = { $mine }–{ $theirs } verloren
challenge-drawn = { $mine }–{ $theirs } gelijk
challenge-resigned = opgegeven
challenge-accuracy = Nauwkeurigheid van { $level }
challenge-help = Met hulp
challenge-yes = ja
challenge-no = nee
challenge-friend = Je vriend
challenge-see = { $name }: partij bekijken
challenge-link = De tekst en de link om te sturen
challenge-text = Ik speelde YINSH tegen { $level }: { $result }, nauwkeurigheid { $accuracy }. Speel vanaf dezelfde opstelling:
challenge-answer = Mijn partij tegen { $level }: { $result }, nauwkeurigheid { $accuracy }. Beide partijen naast elkaar:
challenge-fault-long = Deze link is langer dan een uitdaging kan zijn. Vraag er opnieuw om.
challenge-fault-cut = Het einde van deze link ontbreekt. Vraag er opnieuw om, of kopieer hem helemaal.
challenge-fault-damaged = Deze link is onderweg veranderd: de controlesom klopt niet. Vraag er opnieuw om.
challenge-fault-version = Deze link is van een andere versie van de pagina. Laad de pagina opnieuw en volg hem nog eens.
challenge-fault-invalid = Deze link is geen uitdaging.
challenge-fault-level = Deze pagina heeft geen niveau “{ $level }”.
challenge-fault-turns = De zetten in deze link zijn niet toegestaan: { $reason }

## The dialog My rating

rating-date = Datum
rating-against = Tegenstander
rating-result = Uitslag
rating-rating = Rating
rating-about = Een partij telt mee als je die volgens de standaardregels speelt tegen een niveau met een rating, van de eerste zet tot het einde, zonder hulp: hints, teruggenomen zetten, pauzes, analyse, openingen of de coach. Kopieën van partijen tellen niet mee. Willekeurig spel heeft rating 0. Je echte rating ligt met 95% kans binnen de marge na ±. De uitslagen worden in deze browser en in back-ups bewaard.
rating-after = { $count ->
    [one] { $rating }, na één partij
   *[other] { $rating }, na { $count } partijen
  }
rating-none = Er heeft nog geen partij meegeteld.
rating-now-counts = De huidige partij telt mee.
rating-not-now = De huidige partij telt niet mee: { $reason }.
rating-not = Telt niet mee: { $reason }.
rating-changed = Je rating: { $rating } ({ $change }).
rating-provisional = { $rating }, voorlopig
rating-chart = { $count ->
    [one] Rating na één partij: eerst { $first }, nu { $last }
   *[other] Rating na { $count } partijen: eerst { $first }, nu { $last }
  }
game-won = gewonnen
game-drawn = remise
game-lost = verloren
game-winner = { $sideName } won
not-rated-help = je had hulp ({ $help })
help-with-hints = hints
help-with-take-backs = teruggenomen zetten
help-with-pauses = pauzes
help-with-the-analysis = analyse
help-with-the-openings = openingen
help-with-the-coach = de coach
help-with-a-copy = een kopie van de partij
not-rated-rules = ratings gelden voor de standaardregels
not-rated-start = de partij begon niet met een leeg bord
not-rated-level = het niveau { $level } heeft geen rating
not-rated-unknown = { $engine } laat niet weten of spelen op een rating kan
not-rated-engine = { $engine } kan niet op een rating spelen
rating-not-stored = De uitslag kan nu niet voor je rating worden opgeslagen ({ $reason }).

## The dialog for reviewing several games

reviews-title = Meerdere partijen beoordelen
reviews-new = Nieuwe kiezen
reviews-all = Alle
reviews-none = Geen
reviews-list =
    .aria-label = Te beoordelen partijen
reviews-progress =
    .aria-label = Voortgang van alle beoordelingen
reviews-summary =
    .aria-label = Overzicht per speler
my-games = Mijn partijen
no-games-now = Partijen kunnen nu niet worden opgeslagen of gelezen: { $reason }
reviews-no-games = Er zijn geen partijen met zetten.
reviews-left-before = { $count ->
    [one] Er is nog één partij over van eerder.
   *[other] Er zijn nog { $count } partijen over van eerder.
  }
show-more-of = Nog { $more } van { $count } tonen
reviews-open = Nauwkeurigheid { $accuracy }. { $game } openen
reviews-start = { $count ->
    [one] Eén partij beoordelen
   *[other] { $count } partijen beoordelen
  }
reviews-begun = { $count ->
    [one] Eén partij wordt beoordeeld.
   *[other] { $count } partijen worden beoordeeld.
  }
game-of = Partij { $number } van { $count }.
may-be-closed = Je kunt dit venster sluiten of het tabblad verbergen.
reviews-done = { $count ->
    [one] Eén partij beoordeeld.
   *[other] { $count } partijen beoordeeld.
  }
reviews-left = { $count ->
    [one] Nog één partij over. Kies Beoordelen om verder te gaan.
   *[other] Nog { $count } partijen over. Kies Beoordelen om verder te gaan.
  }
reviews-failed = { $count ->
    [one] Eén partij kon niet worden beoordeeld: { $reasons }.
   *[other] { $count } partijen konden niet worden beoordeeld: { $reasons }.
  }
a-game = een partij
game-being-played = wordt nog gespeeld
game-damaged = is beschadigd
game-gone = bestaat niet meer
game-without-turns = heeft geen zetten
game-changed = is gewijzigd
game-open-elsewhere = is open in een ander tabblad
reviews-elsewhere = Een ander tabblad beoordeelt al partijen.
column-player = Speler
column-games = Partijen
column-accuracy = Nauwkeurigheid
column-blunders = Blunders
column-mistakes = Fouten
column-missed-rows = Gemiste rijen

## The dialog Games

games-kept = Opgeslagen in deze browser
games-this = Deze partij
games-open = Openen
save-all = Alles in één bestand opslaan
back-up = Back-up van alles
games-review = Meerdere beoordelen…
save-record = Notatie opslaan
save-sgf = SGF opslaan
games-picture = Afbeelding…
copy-record = Notatie kopiëren
copy-position = Stelling kopiëren
formats = Notaties en SGF-bestanden bevatten de hele partij: alle varianten, notities, de terugblik en de klokken. Een link bevat de zetten van één variant.
text-to-copy =
    .aria-label = Tekst om te kopiëren
open-file = Bestand openen…
games-editor = Stelling opzetten…
paste = Of plak een stelling, zetten, een notatie, SGF van Boardspace of een log van Board Game Arena:
open-text = Tekst openen
reading-progress =
    .aria-label = Voortgang van het lezen
record-copied = Notatie gekopieerd.
record-below = Kopieer de notatie uit het veld hieronder.
saved-as = Opgeslagen als { $name }.
games-read = { $count ->
    [one] Eén partij gelezen
   *[other] { $count } partijen gelezen
  }
games-read-except = { $count ->
    [one] Eén partij gelezen. Fouten:
   *[other] { $count } partijen gelezen. Fouten:
  }
and-more = en nog { $count }.
games-none = Nog geen partijen.
list-open = open
list-elsewhere = in een ander tabblad
show-more = Meer van { $count } tonen
count-games = { $count ->
    [one] { $count } partij
   *[other] { $count } partijen
  }
games-of = { $count ->
    [one] Eén partij van { $name }
   *[other] { $count } partijen van { $name }
  }
delete = Verwijderen
delete-game = { $game } verwijderen
delete-all = Alles verwijderen
deleted = Verwijderd: { $what }.
not-restored = De verwijderde partijen kunnen nu niet worden hersteld: { $reason }.
games-written-of = { $number } van { $count } partijen geschreven…
games-saved = { $count ->
    [one] Eén partij opgeslagen als { $name }.
   *[other] { $count } partijen opgeslagen als { $name }.
  }
games-not-saved = { $count ->
    [one] Eén partij kon niet worden opgeslagen: { $reason }
   *[other] { $count } partijen konden niet worden opgeslagen: { $reason }
  }
backup-without-results = De uitslagen voor je rating konden niet worden gelezen en ontbreken.
backup-open = Open het bestand in een willekeurige browser om de partijen te herstellen.
games-added = { $count ->
    [one] Eén partij toegevoegd.
   *[other] { $count } partijen toegevoegd.
  }
games-added-except = { $count ->
    [one] Eén partij toegevoegd; { $same } al aanwezig.
   *[other] { $count } partijen toegevoegd; { $same } al aanwezig.
  }
not-a-game-file = Dit is geen partijbestand.
file-is-utf16 = Dit bestand is UTF-16. Sla het op als UTF-8.
file-is-compressed = Dit bestand is gecomprimeerd. Pak het eerst uit.
pasted-games = Geplakte partijen
line-too-long = regel { $line }: deze tekst is te lang voor een partij
game-number-error = partij { $number }: { $reason }
not-a-backup = dit is geen back-up van partijen

## The tab for matches of engines

match-title = Enginematch
match-match = Match
match-choice =
    .aria-label = Match
match-games =
    .aria-label = Partijen van de match
match-points = Punten in de match: { $points }
match-progress =
    .aria-label = Voortgang van de match
match-delete = Deze match verwijderen
match-new = Nieuwe match
match-limit = Per zet
limit-positions = { $count } stellingen per zet
limit-seconds = { $count } s per zet
match-about = Partijen gaan in paren: elke opening wordt tweemaal gespeeld, met verwisselde kleuren. Een niveau speelt op zijn eigen sterkte binnen de limiet.
first-player = Eerste speler
second-player = Tweede speler
player-engine = { $player }: engine
player-level = { $player }: niveau
engine-not-ready = de engine is nog niet klaar
match-busy = Er kan maar één match tegelijk lopen: { $match } is bezig.
match-game-turn = Partij { $number } van { $count }, zet { $turn }.
match-counts = { $wins } gewonnen, { $draws } remise, { $losses } verloren van { $count } partijen met { $limit }.
match-pairs = Paren naar punten van de eerste speler
match-elo = Elo-verschil van de eerste speler { $elo } ({ $share }: { $low } tot { $high }).
match-no-elo = Het Elo-verschil wordt na de eerste paren geschat.
too-many-orders-share = Er lopen te veel matches en analyses voor je adres. Stop er een.
match-superiority = De kans dat de eerste speler sterker is: { $share }.
less-than = minder dan { $share }
more-than = meer dan { $share }
match-open-game = { $score }, { $result } met { $sideName }. De partij openen
match-failed = De match is gestopt: { $reason }.
match-over = De match is afgelopen: { $score }.
match-stopped = De match is gepauzeerd. Je kunt hem altijd hervatten.
match-deleted = Match { $match } verwijderd.
match-not-restored = Match { $match } kan nu niet worden hersteld: { $reason }.
match-of = Match { $match }
match-note = { $limit }; de eerste { $count } zetten zijn de opening.
match-chart = Elo na paar { $first } t/m { $last }; nu { $elo } ± { $error }
match-elsewhere = de match loopt in een ander tabblad
match-not-stored = een partij kan niet worden opgeslagen: { $reason }

## Games: finding, names and tags

find-games =
    .aria-label = Partijen zoeken
find-words =
    .aria-label = Zoek op naam, speler of label
    .placeholder = Naam, speler of label
find-player =
    .aria-label = Speler
    .placeholder = Speler
find-result =
    .aria-label = Uitslag
find-source =
    .aria-label = Bron
outcome-any = Alle uitslagen
outcome-white = Wit won
outcome-black = Zwart won
outcome-draw = Remises
outcome-open = Onvoltooid
source-any = Alle bronnen
source-own = Hier gespeeld
found-games = { $count ->
    [one] { $count } partij gevonden
   *[other] { $count } partijen gevonden
  }
find-none = Geen partijen gevonden. Zoek op minder woorden, of kies alle uitslagen en bronnen.
find-more = Meer van { $count } tonen
name-game = Naam en labels van { $title }
name-game-short = Naam en labels
game-name = Naam
game-labels = Labels, gescheiden door komma’s
save-name = Opslaan
name-elsewhere = Deze partij is open in een ander tabblad. Geef daar de naam op.

## Why an engine has stopped, or refuses an option: parts of sentences. Words of the engine may follow in parentheses

wrong-engine-start = { $engine } kan niet worden gestart
wrong-engine-handshake = { $engine } antwoordt niet als een engine
wrong-engine-died = { $engine } is onverwacht gestopt
wrong-engine-closed = { $engine } heeft zijn uitvoer gesloten
wrong-engine-silent = { $engine } antwoordt niet
wrong-engine-late = { $engine } gaf niet op tijd een zet
wrong-engine-garbage = { $engine } hield zich niet aan het protocol
wrong-engine-illegal = { $engine } gaf een ongeldige zet
wrong-engine-position = { $engine } accepteerde de stelling niet
wrong-engine-ended = { $engine } is beëindigd
wrong-engine-rejects = de engine weigert de waarde { $value }
wrong-option-string = de optie { $name } kan alleen op de opdrachtregel van de engine worden ingesteld
wrong-option-button = de optie { $name } is een knop en heeft geen waarde
wrong-option-most = de optie { $name } is op deze server hoogstens { $most }
wrong-option-value = de optie { $name } kan niet { $value } zijn
wrong-option-unknown = de engine heeft geen optie { $name }
