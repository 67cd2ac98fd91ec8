# Teksty strony po polsku, potrzebne od początku. Objaśnienia są w plikach angielskich.

## Names of the sides

white = Białe
black = Czarne

## The top of the page

on-gyre = na Gyre
on-gyre-blitz = : blitz
menu =
    .aria-label = Menu
new-game = Nowa partia
new-game-narrow = Nowa
games = Partie
settings = Opcje
help = Pomoc

## Above the board

game-area =
    .aria-label = Partia
connecting = Łączenie…
hint = Podpowiedź
    .title = Pokaż, gdzie spojrzeć (h). Partia z podpowiedziami nie liczy się do rankingu.
turn-steps =
    .aria-label = Kroki tego ruchu
waiting-for-name = { $sideName }: oczekiwanie na gracza { $name }.
waiting-for-side = { $sideName }: oczekiwanie na drugiego gracza.
game-handed-over = Twoja partia jest teraz otwarta w innej karcie.
board =
    .aria-label = Plansza

prompt-of-side = { $sideName }: { $prompt }
prompt-your-turn = { $sideName }, twój ruch: { $prompt }
ask-place = Postaw pierścień ({ $number } z { $count }).
ask-move = Przesuń jeden ze swoich pierścieni.
ask-target = Wybierz, dokąd przesunąć { $point }.
ask-pass = Żaden z twoich pierścieni nie może się ruszyć, więc pasujesz.
# If the player wants to confirm turns
ask-confirm = Zagrać ten ruch?
ask-row = Zdejmij swój rząd.
ask-five = Wybierz pięć znaczników do zdjęcia.
ask-row-of = Zdejmij rząd ({ $number } z { $count }).
ask-ring = Teraz zdejmij jeden ze swoich pierścieni.
ask-given-row = Przeciwnik ułożył twój rząd. Zdejmij go, zanim przesuniesz pierścień.
ask-given-five = Przeciwnik ułożył twój rząd. Zanim przesuniesz pierścień, wybierz pięć znaczników do zdjęcia.
ask-given-row-of = Przeciwnik ułożył twoje rzędy. Zdejmij jeden, zanim przesuniesz pierścień ({ $number } z { $count }).
ask-complete = Ruch jest gotowy.
over-result = Koniec partii. { $result }
looking-at-turn = Oglądasz ruch { $number } tej partii. { $words }
looking-at-start = Oglądasz początek partii.
side-engine-stopped = { $sideName }: silnik { $engine } przestał działać. Uruchom go ponownie, aby grać dalej.
side-thinking = { $sideName }: { $engine } myśli…
back-to-game = Wróć do partii
play-on-here = Graj od tego miejsca
your-turn = Twój ruch

step-place = Pierścień na { $to }
step-move = { $from } na { $to }
step-pass = Pas
step-row = Rząd od { $first } do { $last }
step-ring = Pierścień z { $from }
step-then = , potem
step-take = zdjęcie rzędu od { $first } do { $last } i pierścienia z { $ring }

turn-sentence = { $sideName } { $acts }.
act-place = stawiają pierścień na { $to }
act-move = { $count ->
    [0] przesuwają pierścień z { $from } na { $to }
    [one] przesuwają pierścień z { $from } na { $to }, odwracają jeden znacznik
    [few] przesuwają pierścień z { $from } na { $to }, odwracają { $count } znaczniki
   *[many] przesuwają pierścień z { $from } na { $to }, odwracają { $count } znaczników
  }
act-pass = pasują, bo żaden pierścień nie może się ruszyć
act-row = zdejmują rząd od { $first } do { $last } i pierścień z { $ring }

result-wins = { $sideName } wygrywają { $most }:{ $least }.
result-you-win = Wygrywasz { $most }:{ $least }!
result-you-lose = Przegrywasz { $least }:{ $most }.
result-you-resigned = Partia poddana.
result-draw = Remis { $most }:{ $least }.
result-time = { $loser } przekroczyły czas. { $sideName } wygrywają.
result-resignation = { $loser } poddały partię. { $sideName } wygrywają.
result-wins-by = { $sideName } wygrywają ({ $why }).
result-draw-by = Remis ({ $why }).

## On the board, read out by screen readers

point-white-ring = biały pierścień
point-black-ring = czarny pierścień
point-white-marker = biały znacznik
point-black-marker = czarny znacznik
point-vacant = wolne
press-places = postaw tu pierścień
press-picks = { $count ->
    [one] może przejść na jedno pole
    [few] może przejść na { $count } pola
   *[many] może przejść na { $count } pól
  }
picked = wybrany
press-moves = { $count ->
    [0] przesuń tutaj
    [one] przesuń tutaj, odwraca jeden znacznik
    [few] przesuń tutaj, odwraca { $count } znaczniki
   *[many] przesuń tutaj, odwraca { $count } znaczników
  }
press-row = w jednym z twoich rzędów
press-takes-row = w wybranym rzędzie, naciśnij, aby go zdjąć
press-takes-ring = zdejmij ten pierścień
press-confirms = naciśnij ponownie, aby go zdjąć
picked-point = { $point }, { $count ->
    [one] jeden cel
    [few] { $count } cele
   *[many] { $count } celów
  }.
confirm-ring = Zdjąć pierścień z { $point }? Naciśnij go jeszcze raz lub wybierz Zdejmij.
nothing-to-choose = Teraz nie ma nic do wyboru.
choices-place = { $count ->
    [one] Jedno wolne pole na pierścień.
    [few] { $count } wolne pola na pierścień.
   *[many] { $count } wolnych pól na pierścień.
  }
choices-rings = { $sideName } pierścienie, które mogą się ruszyć: { $points }.
choices-targets = Z { $point }: { $targets }.
target-flips = { $point }, odwraca { $count }
choices-ring-for-row = Pierścienie, które możesz zdjąć: { $points }.
choices-pass = Żaden pierścień nie może się ruszyć. Naciśnij Pas.
row-of-rows = Rząd { $number } z { $count }, od { $first } do { $last }.
arrow-from = Strzałka z { $point }: przejdź do jej końca i naciśnij d jeszcze raz.
arrow-drawn = Narysowano strzałkę z { $from } na { $to }.
arrow-removed = Usunięto strzałkę z { $from } na { $to }.
markers-left = { $count ->
    [one] znacznik w puli
    [few] znaczniki w puli
   *[many] znaczników w puli
  }

## Below the board

choices =
    .aria-label = Wybór
choice-row = Rząd od { $first } do { $last }
row-enter = Rząd od { $first } do { $last }, Enter go zdejmuje.
choice-row-of = Rząd { $number } z { $count }: od { $first } do { $last }
choice-ring = Pierścień na { $point }
choice-pass = Żaden z twoich pierścieni nie może się ruszyć.
previous-row = Poprzedni rząd
next-row = Następny rząd
take = Zdejmij
take-row = Zdejmij ten rząd
take-ring = Zdejmij ten pierścień
pass = Pas
confirm = Zagraj
step-back = Wstecz
step-through =
    .aria-label = Przeglądanie partii
go-first =
    .aria-label = Pierwsza pozycja
    .title = Pierwsza pozycja (Home)
go-back =
    .aria-label = Ruch wstecz
    .title = Ruch wstecz (←)
go-forward =
    .aria-label = Ruch do przodu
    .title = Ruch do przodu (→)
go-last =
    .aria-label = Ostatnia pozycja
    .title = Ostatnia pozycja (End)
take-back = Cofnij
take-back-button =
    .title = Cofnij ostatni ruch (u)
replay = Powtórz
replay-button =
    .title = Pokaż ostatni ruch jeszcze raz (r)
# In a frame of another site: a link to the whole page
full-board = Otwórz pełny widok
flip-board = Obróć
flip-board-button =
    .title = Obróć planszę (f)
pause = Pauza
pause-game = Wstrzymaj partię
play-on = Wznów
resign = Poddaj
resign-again = Poddać? Jeszcze raz.
has-resigned = { $sideName } poddały partię.
taken-back = Ruch cofnięty.
no-turn-played = Nie wykonano żadnego ruchu.
turn-unfinished = Najpierw dokończ ruch albo cofnij jego ostatni krok klawiszem Esc.

## The two players

you = Ty
name-you = { $name } (ty)
thinking = myśli…
rings-won = Zdobyte pierścienie: { $rings } z { $count }
clock-of = { $side ->
    [w] Zegar białych: { $time }
   *[b] Zegar czarnych: { $time }
  }

## The tabs

game-details =
    .aria-label = Szczegóły partii
panels =
    .aria-label = Panele
tab-end = Wynik
tab-learn = Nauka
# The badge on the tab Learn, for screen readers: the number of moments that are due
due-count = { $count } do powtórki
tab-turns = Ruchy
tab-analysis = Analiza
tab-review = Przegląd
tall-panel =
    .title = Powiększ panel

## The tab Result

end-review = Przejrzyj partię
end-challenge = Porównaj i wyślij
moments = Twoje trzy momenty
end-rematch = Rewanż
end-other = Zamień strony
end-level = Następny poziom
end-level-named = Silniejszy: { $level }
end-level-easier = Łatwiejszy: { $level }
turns = { $count ->
    [one] { $count } ruch
    [few] { $count } ruchy
   *[many] { $count } ruchów
  }
facts-markers = { $count ->
    [one] { $count } znacznik w puli
    [few] { $count } znaczniki w puli
   *[many] { $count } znaczników w puli
  }
rules-name-standard = zasady standardowe
rules-name-blitz = zasady blitz

## The levels

level-beginner = Początkujący
level-novice = Nowicjusz
level-casual = Amator
level-club = Klubowicz
level-strong = Zaawansowany
level-expert = Ekspert
level-full-strength = Pełna siła
about-level-beginner = Zna zasady i niewiele więcej.
about-level-novice = Widzi rzędy, które już są na planszy.
about-level-casual = Ma plan, ale sporo przeocza.
about-level-club = Patrzy ruch naprzód i rzadziej się myli.
about-level-strong = Mało co oddaje za darmo.
about-level-expert = Trudny do pokonania.
about-level-full-strength = Gra najlepiej, jak potrafi w danym czasie.

## The tab Learn

learn-by-playing = Ucz się, grając
strategy = Strategia
puzzles = Zadania
theme-day = Zadanie dnia
rush = Wyścig zadań
challenge = Rzuć wyzwanie
moments-due = Momenty do powtórki
my-rating = Mój ranking
rules-goal = <b>YINSH</b> to gra dla dwóch osób. Układaj rzędy z pięciu znaczników w swoim kolorze. Za każdy rząd zdejmujesz jeden ze swoich pierścieni: kto pierwszy zdejmie <b>trzy pierścienie</b>, wygrywa.
rules-goal-blitz = <b>YINSH</b> to gra dla dwóch osób. Ułóż rząd z pięciu znaczników w swoim kolorze. Za rząd zdejmujesz jeden ze swoich pierścieni: kto pierwszy zdejmie <b>jeden pierścień</b>, wygrywa.
rules-place = <b>Ustawianie.</b> Zaczynają białe. Gracze na zmianę stawiają po pięć <b>pierścieni</b> na dowolnych wolnych polach.
rules-move = <b>Ruch.</b> Potem w każdym ruchu przesuwasz jeden ze swoich pierścieni wzdłuż linii. Tam, gdzie stał, zostaje <b>znacznik</b> w twoim kolorze. Pierścień sunie po wolnych polach. Może przeskoczyć znaczniki i wtedy staje na pierwszym wolnym polu za nimi. Innego pierścienia nigdy nie przeskakuje.
rules-flip = <b>Odwracanie.</b> Wszystkie przeskoczone znaczniki się odwracają: białe stają się czarne, a czarne białe. Znacznik, który właśnie kładziesz, się nie odwraca.
rules-row = <b>Rząd.</b> Pięć znaczników w twoim kolorze w jednym rzędzie schodzi z planszy, a razem z nimi jeden z twoich pierścieni. Ten pierścień to twój punkt.
rules-rows = <b>Długie i przecinające się rzędy.</b> Jeśli w rzędzie jest więcej niż pięć znaczników, wybierasz pięć z nich. Jeśli masz kilka rzędów, zdejmujesz je po kolei, za każdym razem z jednym pierścieniem. Rząd, który stracił znacznik na rzecz innego, nie jest już rzędem.
rules-gift = <b>Rzędy przeciwnika.</b> Jeśli twój ruch ułoży rząd przeciwnika, zdejmie on ten rząd i pierścień na początku swojego ruchu. Potem gra jak zwykle.
rules-win = <b>Wygrana.</b> Kto pierwszy zdejmie <b>trzy</b> pierścienie, wygrywa.
rules-win-blitz = <b>Wygrana.</b> To blitz: kto pierwszy zdejmie <b>jeden</b> pierścień, wygrywa, więc rozstrzyga pierwszy rząd.
rules-end = <b>Koniec znaczników.</b> Gdy wszystkie 51 znaczników leży na planszy, partia się kończy: wygrywa ten, kto zdjął więcej pierścieni, a przy równej liczbie jest remis. Jeśli twój ruch ułoży ostatni rząd obu graczy, wygrywasz, bo twój rząd schodzi pierwszy. Jeśli żaden z twoich pierścieni nie może się ruszyć, pasujesz.

picture-place = Pierścienie obu graczy na polach, w których przecinają się linie
picture-move = Pierścień przesunął się wzdłuż linii i zostawił znacznik
picture-flip = Pierścień przeskoczył trzy znaczniki i wszystkie się odwróciły
picture-row = Pięć białych znaczników w rzędzie i biały pierścień, który schodzi razem z nimi
picture-rows = Dwa przecinające się rzędy białych znaczników
picture-gift = Czarny pierścień przeskoczył znacznik i ułożył rząd białych znaczników
picture-win = Trzy białe pierścienie
picture-end = Dwa białe pierścienie i jeden czarny

rules-watch = Grają dwa silniki, a ty oglądasz.
rules-you-are = { $side ->
    [w] Grasz białymi.
   *[b] Grasz czarnymi.
  }
rules-both = Grasz obiema stronami.
rules-click = Wybierz pierścień, aby zobaczyć, dokąd może przejść, a potem kropkę. Pogrubiony wiersz zawsze mówi, co teraz zrobić.

## The tab Analysis

engine = Silnik
line-count = Warianty
threat = Groźba
openings = Debiuty
analysis-off = Włącz silnik, aby zobaczyć ocenę, najlepsze warianty i strzałki na planszy.
analysis-locked = Silnik, groźby, debiuty i przegląd są zablokowane do końca tej partii. Widzowie mają do nich dostęp.
engine-choice =
    .aria-label = Silniki do analizy
engine-options = Opcje silnika
option-threads = Wątki
option-hash = Pamięć (MiB)
game-over = Koniec partii.
thinks-own-turn = Myśli nad własnym ruchem.
engine-busy = Zajęty
engine-thinking = Myśli…
engine-done = gotowe
engine-taken = Silnik { $engine } jest zajęty gdzie indziej
depth = głębokość { $depth }
nodes = węzły: { $count }
nodes-per-second = { $count }/s
line-number = Wariant { $number }
whole-line = Pokaż cały wariant
or-turns = lub { $turns }
threat-search = Szukanie groźby…
threat-none = Brak groźby.
threat-found = { $sideName } grożą ruchem: { $turn }.
line-only-shown = Partia trwa, więc wariant można tylko obejrzeć. Wstrzymaj partię, aby go wypróbować.

## Scores

score-label = Ocena { $score }. { $words }
no-score-yet = Jeszcze bez oceny
wins-in = { $count ->
    [one] { $sideName } wygrywają w jednym ruchu
   *[many] { $sideName } wygrywają w { $count } ruchach
  }
white-chances = Szanse białych: { $share }
graph-label = Szanse białych w trakcie partii
graph-start = Początek
graph-turn = Ruch { $number }, { $turn }
graph-chances = { $share } dla białych ({ $score })
graph-no-score = brak oceny
graph-lost = strata { $share }
label-inaccuracy = niedokładność
label-mistake = błąd
label-blunder = poważny błąd
analysis-time = Czas na pozycję
scores-are-whites = Oceny i szanse dotyczą białych: powyżej zera i powyżej { $half } białe stoją lepiej.

## The tab Turns

turn-list =
    .aria-label = Ruchy partii
no-turn-yet = Jeszcze nie było ruchu.
variation-from = Wariant od ruchu { $number }
turn-lost = strata { $share }
row-missed = przeoczony rząd
row-missed-title = Tu można było ułożyć rząd
turns-deleted = Usunięto wariant od ruchu { $number }.
not-a-turn = „{ $text }” to nie ruch. Ruchy wyglądają tak: f6, e4-e8 lub e4-e8;xe4-e8f6.
not-possible-now = { $text } nie jest teraz możliwe.
promote = Ustaw jako wariant główny
delete-turns = Usuń od tego miejsca
turn-box = Ruch
enter-turn = Zagraj
note = Notatka do tego ruchu

## The dialog for a new game

new-who = Gracze
new-engine = Ty i silnik
new-people = Dwie osoby
new-engines = Dwa silniki
new-link = Znajomy, przez link
new-link-how = Po każdym swoim ruchu wysyłasz znajomemu link. Nie potrzeba serwera, a czasu macie, ile chcecie.
new-room = Znajomy, na żywo
new-room-how = Wysyłasz znajomemu jeden link. Potem oboje od razu widzicie każdy ruch, na dwóch urządzeniach.
your-name = Twoje imię
new-side = Grasz jako
new-against = Przeciwnik
engine-of = { $side ->
    [w] Silnik dla białych
   *[b] Silnik dla czarnych
  }
level-of = { $side ->
    [w] Poziom dla białych
   *[b] Poziom dla czarnych
  }
level-choice = { $level } ({ $elo })
level-elo = Elo { $elo }; gra losowa to 0.
side-white-first = Białe, zaczynają
side-black = Czarne
side-random = Losowo
new-rules = Zasady
rules-standard = Standard: wygrywają trzy pierścienie
rules-blitz = Blitz: wygrywa jeden pierścień
clock = Zegar
clock-none = Bez zegara
clock-choice = { $minutes } min + { $seconds } s
new-here = Zacznij od pozycji na planszy
match-of-engines = Mecz silników…
cancel = Anuluj
new-start = Graj

## Durations

seconds = { $count } s
minutes = { $count } min
no-limit = Bez limitu

## Notices above the board, and their buttons

close = Zamknij
undo = Cofnij
try-again = Spróbuj ponownie
reload = Odśwież stronę
trying-again = { $what } Kolejna próba…
lost-server = Utracono połączenie z serwerem planszy.
lost-program = Program planszy przestał działać.
too-many-boards = Otwarto zbyt wiele plansz. Zamknij inną kartę.
too-many-boards-share = Z twojego adresu otwarto zbyt wiele plansz. Zamknij inną kartę.
too-many-engines = Działa zbyt wiele silników. Zamknij inną kartę.
too-many-engines-share = Dla twojego adresu działa zbyt wiele silników. Zamknij inną kartę.
too-many-requests = Zbyt wiele żądań czeka. Spróbuj ponownie później.
program-fails = Program planszy nie działa w tej przeglądarce ({ $why }).
worker-missing = nie można wczytać jego workera
downloading = Pobieranie programu planszy…
download = Pobierz
download-interrupted = Pobieranie przerwane. Ruszy dalej, gdy wróci sieć.
too-large = wiadomość jest za duża dla planszy
too-large-of = wiadomość jest większa niż { $most } KiB
engine-restarted = Silnik { $engine } uległ awarii i został uruchomiony ponownie ({ $reason }).
engine-stopped = Silnik { $engine } przestał działać: { $reason }
engine-not-started = Nie można uruchomić silnika { $engine }: { $reason }
restart-engine = Uruchom ponownie silnik { $engine }
new-version = Jest nowa wersja planszy.
load-version = Wczytaj
open-elsewhere = Ta partia jest otwarta w innej karcie.
open-copy = Otwórz kopię
continued-as-copy = Inna karta zmieniła tę partię. Tutaj toczy się dalej jako kopia.
nothing-stored = Ta przeglądarka blokuje dane witryn, więc nic się nie zapisuje: partie i ustawienia znikną po zamknięciu lub ponownym wczytaniu tej karty.
link-damaged = Ten link jest uszkodzony. Skopiuj go jeszcze raz, w całości.
game-not-stored = Nie można teraz zapisać tej partii: { $reason }. Jest bezpieczna, dopóki ta karta jest otwarta.
storage-full = pamięć przeglądarki jest pełna
storage-blocked = przeglądarka blokuje dane witryn
storage-damaged = baza danych przeglądarki jest uszkodzona
not-allowed = przeglądarka na to nie pozwala
error-other = nieoczekiwany błąd ({ $error })
save-as-file = Zapisz do pliku
repair = Napraw bazę danych
repaired = { $count ->
    [one] Baza danych została naprawiona. Zachowano jedną partię.
    [few] Baza danych została naprawiona. Zachowano { $count } partie.
   *[many] Baza danych została naprawiona. Zachowano { $count } partii.
  }
repaired-lost = { $count ->
    [one] Nie udało się odczytać jednej partii.
   *[many] Nie udało się odczytać { $count } partii.
  }
not-repaired = Nie można naprawić bazy danych. Zapisz tę partię do pliku i usuń dane tej witryny w ustawieniach przeglądarki.
part-not-opened = { $part }: nie można otworzyć ({ $reason }).
part-not-loaded = { $part }: nie można wczytać ({ $reason }).
no-connection = brak połączenia
other-version = plansza została zaktualizowana
bad-answer = odpowiedź serwera: { $status }
bad-type = serwer wysyła { $file } jako { $type }, więc przeglądarka tego nie uruchomi
part-tutorial = Samouczek
part-watch = Pasek oglądania
part-review = Przegląd
part-pictures = Obrazki do zasad
part-sound = Dźwięk
part-settings = Ustawienia
part-games = Lista partii
part-image = Okno obrazka
part-worth = Wartości celów
part-explorer = Baza debiutów
part-editor = Edytor pozycji
part-coach = Trener
part-rating = Twój ranking
part-strategy = Lekcje strategii
part-puzzles = Zadania
part-rush = Wyścig zadań
part-challenge = Wyzwanie
part-moments = Twoje trzy momenty
part-due = Momenty do powtórki
part-reviews = Przegląd kilku partii
part-match = Mecz silników
part-offers = Propozycje po partii
part-remote = Partia z kimś na odległość
part-help = Pomoc

## What is wrong with a position or a turn

fault-at = { $place }: { $reason }
place-line = wiersz { $number }
place-turn = ruch { $number }
place-packet = pakiet { $packet }, komunikat { $number }
wrong-empty = tekst jest pusty
wrong-no-game = tekst nie zawiera żadnej partii
wrong-too-long = tekst jest za długi
wrong-field-count = pozycja ma trzy pola (plansza, strona i wynik); liczba pól w tekście: { $count }
wrong-column-count = liczba kolumn planszy: { $count } zamiast { $wanted }
wrong-column-sign = kolumna { $column } zawiera „{ $sign }”; dozwolone są tylko W, B, w, b i liczby
wrong-column-length = liczba pól kolumny { $column } musi wynosić { $wanted }
wrong-bad-side = strona na posunięciu to w albo b
wrong-bad-score = wynik to zdjęte pierścienie białych, łącznik i zdjęte pierścienie czarnych, na przykład 0-0
wrong-many-markers = liczba znaczników na planszy: { $count }; w grze jest ich { $most }
wrong-many-turns = ponad { $most } ruchów
wrong-waiting-row = strona, która grała ostatnia, nie zdjęła rzędu { $row }
wrong-bad-removed = liczba zdjętych pierścieni, która kończy grę: { $most }; taki wynik jest niemożliwy
wrong-many-rings = liczba pierścieni jednej strony: { $count }, w tym zdjętych: { $removed }; największa dozwolona: { $most }
wrong-early-pieces = zanim wszystkie pierścienie zostaną postawione, nie ma znaczników ani zdjętych pierścieni
wrong-early-side = przy tak postawionych pierścieniach ta strona nie może być na posunięciu
wrong-not-a-turn = „{ $part }” nie jest częścią ruchu; napisz f6, e4-e10, xb3-b7xb2 albo pass
wrong-game-over = gra kończy się przed tym ruchem
wrong-row-left = najpierw trzeba zdjąć rząd { $row }
wrong-move-missing = brakuje ruchu pierścieniem
wrong-no-row = nie ma rzędu { $row } do zdjęcia
wrong-no-ring = strona na posunięciu nie ma pierścienia na { $point }
wrong-cannot-pass = nie można pasować: któryś pierścień może się ruszyć
wrong-all-placed = wszystkie pierścienie są postawione: rusz pierścień
wrong-not-vacant = pole { $point } nie jest wolne
wrong-not-placed = nie wszystkie pierścienie są postawione: postaw pierścień
wrong-cannot-move = pierścień z { $from } nie może przejść na { $to }
wrong-bad-rules = zasady to standard albo blitz
wrong-bad-command = to polecenie nie podaje pozycji
wrong-bad-point = „{ $point }” nie jest polem planszy
wrong-damaged = własne dane Gyre w tym pliku, na przykład warianty i notatki, są uszkodzone
wrong-other-side = { $side ->
    [b] na posunięciu są czarne
   *[w] na posunięciu są białe
  }
wrong-not-legal = ten ruch nie jest dozwolony
wrong-bad-tag = etykieta musi mieć postać [Nazwa "wartość"]
wrong-duplicate-tag = ta etykieta występuje dwa razy
wrong-tag-inside = etykieta stoi po partii bez wyniku; zakończ partię wynikiem, na przykład 3-1, albo znakiem *
wrong-no-result = partia kończy się bez wyniku; napisz wynik, na przykład 3-1, albo *, jeśli nie jest skończona
wrong-bad-result = „{ $text }” nie jest wynikiem; napisz na przykład 3-1 albo *
wrong-wrong-result = ten wynik nie zgadza się z ruchami
wrong-other-result = ten wynik różni się od wyniku w etykiecie Result
wrong-turn-number = oczekiwany numer ruchu: { $number }
wrong-variation = partia w tym zapisie nie ma wariantów; usuń nawiasy razem z ich treścią albo użyj SGF
wrong-open-comment = ten komentarz nie ma nawiasu zamykającego
wrong-not-text = tekst zawiera niedozwolone znaki
wrong-other-game = to jest partia gry { $game }, a nie YINSH
wrong-no-setup = brakuje właściwości SU z nazwą gry
wrong-no-parenthesis = partia musi zaczynać się od „(”, a nie od „{ $found }”
wrong-cut-file = plik kończy się w środku partii
wrong-too-deep = liczba otwartych nawiasów jest większa niż { $most }
wrong-no-property = oczekiwana jest właściwość, a nie „{ $found }”
wrong-no-value = właściwość { $name } nie ma wartości
wrong-open-bracket = ten nawias kwadratowy nie jest zamknięty
wrong-not-a-log = to nie jest pełny zapis partii z Board Game Arena
wrong-no-moves = zapis nie zawiera ruchów YINSH
wrong-unknown-move = nieznany ruch „{ $move }”
wrong-not-played = nie ma ruchu do cofnięcia
wrong-not-first = pierwszy ruch musi wykonać { $name }, grając białymi
wrong-marker-elsewhere = znacznik leży na { $marker }, ale pierścień rusza z { $ring }
wrong-not-a-row = { $from }–{ $to } to nie jest rząd pięciu
wrong-other-winner = zapis podaje innego zwycięzcę niż ruchy
wrong-moves-missing = według zapisu partia jest skończona, ale brakuje ruchów
