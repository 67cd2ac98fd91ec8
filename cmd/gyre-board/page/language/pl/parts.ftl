# Teksty po polsku dla części wczytywanych na żądanie. Objaśnienia są w plikach angielskich.

## The dialog for the settings

settings-title = Ustawienia
done = Gotowe
setting-language = Język
setting-auto = Jak w systemie
setting-board = Plansza
board-blue = Szaroniebieska
board-wood = Drewno
board-slate = Ciemny łupek
setting-theme = Kolory strony
theme-light = Jasne
theme-dark = Ciemne
setting-motion = Animacje
motion-on = Zawsze
motion-off = Nigdy
setting-confirm = Potwierdzanie ruchów
confirm-people = W partiach z ludźmi
confirm-always = Zawsze
setting-side = Moja strona
side-bottom = Na dole
side-white-bottom = Białe na dole
setting-coach = Trener, w partiach nierankingowych
setting-off = Wyłączony
coach-on = Pyta przed poważnym błędem
setting-sound = Dźwięk
sound-on = Włączony

## Games against a person at another browser

remote-bar =
    .aria-label = Partia z kimś na odległość
remote-share = Wyślij link…
share-kinds = Do czego jest ten link
share-to-play = Do gry
share-to-watch = Do oglądania
share-link =
    .aria-label = Link
share-send = Udostępnij…
copy-link = Kopiuj link
share-qr = Kod QR
share-code = Kod QR linku
copy-text = Kopiuj
text-copied = Skopiowano.
text-copy-it = Skopiuj zaznaczony tekst.
resign-question = Poddać tę partię?
your-opponent = przeciwnik
link-invite = Zaproś znajomego
link-invite-how = Wyślij ten link. Znajomy otworzy go w dowolnej przeglądarce, wykona pierwszy ruch i odeśle ci link.
link-send = Wyślij swój ruch (odbiorca: { $who })
link-send-how = Link zawiera partię z twoim ruchem. Gdy dostaniesz link z powrotem, otwórz go w tej przeglądarce.
link-your-turn = Twój ruch. Potem wyślij link (odbiorca: { $who }).
link-their-turn = Oczekiwanie na link (nadawca: { $who }).
link-over = Koniec partii.
link-own = To link z twoim własnym ruchem. Wyślij go przeciwnikowi; następny ruch należy do niego.
link-older = Ten link jest starszy niż twoja partia. Plansza pokazuje ostatni ruch.
link-other = Ten link nie jest dalszym ciągiem twojej partii: ruchy są inne. Twoja partia się nie zmieniła.
link-open-apart = Otwórz osobno
room-entering = Wchodzenie do pokoju…
room-invite = Zaproś znajomego
room-invite-how = Kto pierwszy otworzy link, zagra z tobą. Nie zamykaj tej strony albo wróć do niej później: żaden ruch nie przepadnie.
room-watch = Zaproś widzów
room-watch-how = Kto otworzy ten link, może oglądać partię.
room-off = Ta plansza nie ma pokojów. Serwer trzeba uruchomić z opcją -rooms FILE.
room-gone = Tego pokoju nie ma. Został zamknięty albo link jest niepełny.
room-full = Otwartych jest za dużo pokojów. Spróbuj później.
room-crowded = Tę partię ogląda za dużo osób.
room-seat = Ten link nie daje miejsca w pokoju. Poproś o link do gry lub do oglądania.
room-over = Koniec partii.
room-moved = Tymczasem partia poszła dalej. Plansza pokazuje ostatni ruch.
room-paused = Serwer nie może teraz zapisać posunięć. Wszystkie zegary stoją i żadne posunięcie nie przepadnie.
room-share = Z twojego adresu otwarto zbyt wiele pokoi. Spróbuj ponownie później.
room-wait = Czekasz, aż przeciwnik otworzy link.
room-here = Jest w pokoju: { $who }.
room-away = Brak połączenia: { $who }.
room-spectator = Oglądasz partię.
room-watching = { $count ->
    [one] { $count } widz.
   *[many] { $count } widzów.
  }
room-rematch = Rewanż z zamianą stron?

## Offers after a game

offer-sound = Chcesz słyszeć stukot pierścieni i znaczników?
offer-sound-yes = Włącz dźwięk
offer-install = Zainstaluj planszę na tym urządzeniu. Będzie działać bez internetu, we własnym oknie.
offer-install-yes = Zainstaluj

## The dialog for setting up a position

editor-title = Ustaw pozycję
editor-tools =
    .aria-label = Co kliknięcie stawia na polu
editor-board =
    .aria-label = Plansza do ustawienia
tool-white-ring = Biały pierścień
tool-black-ring = Czarny pierścień
tool-white-marker = Biały znacznik
tool-black-marker = Czarny znacznik
tool-erase = Usuń
editor-side = Na ruchu
editor-standard = standard
editor-blitz = blitz
editor-won-white = Pierścienie zdobyte przez białe
editor-won-black = przez czarne
editor-text = Jako tekst
editor-empty = Wyczyść planszę
editor-shown = Bieżąca pozycja
editor-copy = Kopiuj tekst
analyze = Analizuj
editor-play = Graj od tej pozycji…
editor-playable = Można grać. { $prompt }
editor-over = Koniec partii. { $prompt }
editor-problem = Nie można grać: { $problem }.
position-copied = Pozycja skopiowana.
position-below = Skopiuj pozycję z pola poniżej.
link-copied = Link skopiowany.
link-below = Skopiuj link z pola poniżej.
not-now = Teraz nie jest to możliwe: { $reason }

## The tutorial

tutorial-board =
    .aria-label = Plansza samouczka
lessons =
    .aria-label = Lekcje
lesson-number = { $number }. { $title }
lesson-of = Lekcja { $number } z { $count }
lesson-next = Dalej
lesson-hint = Podpowiedź
lessons-done = Teraz już umiesz grać.
task-place = Ustawianie
    .say = Zaczynają białe. Obaj gracze stawiają po pięć pierścieni na polach, czyli tam, gdzie przecinają się linie. Postaw pierścień w dowolnym miejscu.
    .hint = Środek to dobre miejsce: zbiega się tam najwięcej linii.
    .done = To twój pierwszy pierścień.
task-move = Ruch
    .say = Potem pierścienie się przesuwają. Wybierz jeden ze swoich białych pierścieni, a potem pole na linii.
    .hint = Pierścień sunie po wolnych polach, ale nigdy nie przeskakuje innego pierścienia.
    .done = Pierścień zostawił znacznik tam, gdzie stał. Tak jest przy każdym ruchu.
task-flip = Skok i odwracanie
    .say = Pierścień może przeskoczyć znaczniki. Staje na pierwszym wolnym polu za nimi, a one wszystkie się odwracają. Odwróć oba czarne znaczniki jednym ruchem.
    .hint = Pierścień na d4 stoi z nimi w jednej linii.
    .done = Oba znaczniki są teraz białe. Białe stałyby się czarne. Znacznik, który kładziesz, się nie odwraca.
    .again = To mniej niż dwa odwrócone znaczniki. Przeskocz oba naraz.
task-row = Ułóż rząd
    .say = Twój cel to rząd: pięć znaczników w twoim kolorze. Masz cztery, a na piątym polu stoi twój pierścień.
    .hint = Przesuń pierścień z h8: zostawi tam piąty znacznik. Potem kliknij rząd i pierścień.
    .done = Rząd! Schodzi z planszy razem z jednym z twoich pierścieni. Ten pierścień to twój punkt.
    .again = Jeszcze nie ma rzędu. Który pierścień może zostawić piąty znacznik?
task-pay = Odwróć, by ułożyć rząd
    .say = Rząd można też ułożyć skokiem. Rząd kosztuje cię wybrany pierścień, a im mniej pierścieni, tym mniej możliwości. Oddaj ten, którego nie potrzebujesz.
    .hint = Pierścień na d4 może przeskoczyć e5. Pierścień na c6 ma niewiele do roboty.
    .done = Odwrócony znacznik dopełnił rząd. Pierścień to twoja cena i twój punkt.
    .again = Jeszcze nie ma rzędu. Jeden z pięciu znaczników jest czarny: przeskocz go.
task-stop = Zablokuj rząd
    .say = Czarne mają cztery w rzędzie i pierścień, który może zostawić piąty znacznik. Nie pozwól na ten rząd.
    .hint = Przeskocz jeden z czterech znaczników, aby go odwrócić. Twój pierścień na h9 stoi w jednej linii z f7.
    .done = Jeden odwrócony znacznik i po groźbie.
    .again = Czarne wciąż mogą ułożyć rząd pierścieniem z f8. Odwróć jeden z czterech znaczników.
task-gift = Prezent od przeciwnika
    .say = Ruch czarnych ułożył rząd z twoich znaczników. Jest twój: zdejmij go razem z pierścieniem na początku swojego ruchu. Potem graj jak zwykle.
    .hint = Kliknij rząd, a potem pierścień, którego nie potrzebujesz. Następnie przesuń dowolny pierścień.
    .done = Rząd zdjęty, jeszcze przed przesunięciem pierścienia. Uważaj, co twoje ruchy dają przeciwnikowi.
task-rows = Długie i przecinające się rzędy
    .say = Sześć w rzędzie, a przecina je drugi rząd. Zdejmujesz rzędy po kolei i wybierasz pięć znaczników. Wybierz tak, by liczyły się oba rzędy.
    .hint = Rzędy przecinają się na f3. Zostaw ten znacznik: zdejmij najpierw rząd od f4 do f8, potem od d1 do h5.
    .done = Dwa rzędy w jednym ruchu: dwa pierścienie. Jeden znacznik długiego rzędu i tak by został.
    .again = Pierwszy rząd zabrał znacznik z f3, a drugi go potrzebował. Zostaw go na planszy.
task-win = Wygraj
    .say = Trzeci zdjęty pierścień wygrywa partię. Masz już dwa. Ułóż jeszcze jeden rząd.
    .hint = Jeden z pięciu znaczników jest czarny. Może go przeskoczyć pierścień z g8.
    .done = Trzy pierścienie: wygrywasz.
    .again = Jeszcze nie. Po którym skoku będzie pięć białych znaczników?

## The help dialog

help-mouse-title = Mysz i dotyk
help-mouse = Kliknij pierścień, a potem jedną z kropek, albo przeciągnij go na miejsce. Aby zdjąć rząd, kliknij jego uchwyt albo jego znaczniki, aż zostanie jeden rząd; potem kliknij ten rząd lub <b>Zdejmij</b>. Prawy przycisk myszy rysuje strzałki. Kliknięcie podczas animacji pomija ją.
help-keys-title = Klawisze
key-up-down = na planszy: wzdłuż litery; gdzie indziej: inne warianty
key-left-right = na planszy: wzdłuż liczby; gdzie indziej: ruch wstecz lub do przodu
key-shift = na planszy: wzdłuż trzeciej linii
key-enter = wybierz pole lub zdejmij wybrany rząd
key-n-p = na planszy: następny lub poprzedni wybór; gdzie indziej: następny lub poprzedni błąd z przeglądu
key-escape = cofnij jeden krok
key-m-l = odczytaj możliwości lub ostatni ruch
key-comma = ruch wstecz lub do przodu, z dowolnego miejsca
key-home = pierwsza lub ostatnia pozycja
key-g-i = przejdź na planszę lub do pola na ruchy
key-u-r = cofnij lub powtórz ostatni ruch
key-h = podpowiedź w partii z silnikiem; naciśnij ponownie, aby zobaczyć ruch
key-f = obróć planszę
key-a-t = analiza, groźba
key-d = zacznij lub zakończ strzałkę na tym polu
key-help = ta pomoc
help-text-title = Ruchy jako tekst
help-text = <i>f6</i> stawia pierścień, <i>e4-e10</i> przesuwa go, <i>xb3-b7xb2</i> zdejmuje rząd od b3 do b7 i pierścień z b2. Średnik łączy części ruchu.

## In the tab Analysis: what the targets of a picked ring lose

worth-about = Liczba na celu mówi, ile procent twoich szans na wygraną kosztuje ruch w to miejsce; × to wszystkie. Przerywany okrąg to pierwsza ocena.
worth-nothing = nic nie traci
worth-loses = traci { $share }
worth-short = po krótkim liczeniu

## The dialog for pictures of the board

image-title = Obrazek
image-preview =
    .alt = Podgląd obrazka
image-coordinates = Współrzędne
image-last = Ostatni ruch
image-size = Rozmiar
pixels = { $count } px
image-delay = Czas na ruch w GIF-ie
image-progress =
    .aria-label = Postęp tworzenia GIF-a
save-svg = Zapisz SVG
save-png = Zapisz PNG
save-gif = Zapisz partię jako GIF
image-too-large = przeglądarka nie może utworzyć obrazka tej wielkości
image-canceled = Anulowano. Nic nie zapisano.
image-saved = Zapisano jako { $name } ({ $size }).

## The bar above the tabs while two engines play

watch =
    .aria-label = Oglądanie
watch-speed = Tempo
speed-slow = wolne
speed-normal = normalne
speed-fast = szybkie
watch-next = Automatycznie zaczynaj następną partię
watch-score = Wynik { $first }:{ $second }

## The opening explorer

explorer-games = Partie
explorer-engine = silnika
explorer-mine = zapisane tutaj
explorer-turn = Ruch
explorer-count = Partie
explorer-points = Punkty białych
explorer-score = Ocena
explorer-none = Nikt jeszcze stąd nie grał.
explorer-none-mine = Żadna z twoich ukończonych partii nie zawiera tej pozycji.
explorer-back = { $number ->
    [0] Wróć na początek
   *[other] Wróć do ruchu { $number }
  }
explorer-symmetric = Ruchy symetryczne liczone są razem.
explorer-most-played = Najczęściej grane: { $shown } z { $count }.
explorer-uncounted = { $count ->
    [one] Nie udało się policzyć jednej partii.
   *[many] Nie udało się policzyć { $count } partii.
  }
explorer-alike = { $count ->
    [one] i { $count } symetryczny
    [few] i { $count } symetryczne
   *[many] i { $count } symetrycznych
  }
explorer-counting = Policzono { $number } z { $count } partii…
explorer-fails = Tabela jest niedostępna: { $reason }
explorer-running = Partia trwa. Wstrzymaj ją, aby wypróbować ruch.

## The coach

coach = Trener
hint-search = Szukanie podpowiedzi…
hint-show-turn = Pokaż ruch
look-at-point = Spójrz na { $point }.
look-at-ring = Spójrz na pierścień na { $point }.
look-at-row = Spójrz na rząd od { $first } do { $last }.
look-at-paying-ring = Spójrz na pierścień na { $point }. Możesz go zdjąć za ten rząd.
look-at-pass = Żaden pierścień nie może się ruszyć.
hint-turn = Silnik proponuje: { $turn }.
hint-back = Najpierw cofnij swoje kroki.
engine-cannot-say = Silnik nie może teraz odpowiedzieć.
coach-looks = Trener sprawdza { $turn }…
coach-skip = Zagraj od razu
coach-blunder = { $turn } to poważny błąd: twoje szanse na wygraną spadają z { $before } do { $after }.
coach-reply = Niebieska strzałka to najlepsza odpowiedź, { $turn }.
coach-asks = Zagrać mimo to?
coach-play = Zagraj mimo to

## What is good or bad about a turn

row-ends = od { $first } do { $last }
fact-wins = Wygrywa partię.
fact-loses-next = { $opponent } mogą potem wygrać ruchem: { $turn }.
fact-takes-rows = { $count ->
    [one] Zdejmuje rząd { $rows }.
   *[many] Zdejmuje rzędy { $rows }.
  }
fact-gives-rows = { $count ->
    [one] { $opponent } dostają rząd { $rows }.
   *[many] { $opponent } dostają rzędy { $rows }.
  }
fact-opens-row = { $opponent } mogą teraz ułożyć rząd ruchem { $turn }.
fact-leaves-row = { $opponent } mogły ułożyć rząd i nadal mogą, ruchem { $turn }.
fact-stops-rows = { $opponent } nie mogą już ułożyć rzędu.
fact-misses-row = { $had ->
    [0] { $left ->
        [one] { $sideName } mogły zdjąć rząd ruchem { $turn }.
        [few] { $sideName } mogły zdjąć { $left } rzędy ruchem { $turn }.
       *[many] { $sideName } mogły zdjąć { $left } rzędów ruchem { $turn }.
      }
   *[many] { $left ->
        [few] { $sideName } mogły zdjąć { $left } rzędy zamiast { $had } ruchem: { $turn }.
       *[many] { $sideName } mogły zdjąć { $left } rzędów zamiast { $had } ruchem: { $turn }.
      }
  }
fact-pays-other = { $count ->
    [one] { $sideName } mogły za ten sam rząd zdjąć pierścień z { $rings }.
   *[many] { $sideName } mogły za te same rzędy zdjąć pierścienie z { $rings }.
  }
fact-threatens = Grozi ułożeniem rzędu ruchem { $turn }.
fact-few-markers = { $left ->
    [0] Nie ma już znaczników: wygrywa ten, kto zdjął więcej pierścieni.
    [one] Został jeden znacznik: potem wygrywa ten, kto zdjął więcej pierścieni.
    [few] Zostały { $left } znaczniki: potem wygrywa ten, kto zdjął więcej pierścieni.
   *[many] Zostało { $left } znaczników: potem wygrywa ten, kto zdjął więcej pierścieni.
  }
fours-new = { $left ->
    [one] Układa cztery znaczniki z pięciu w jednym miejscu.
   *[many] Układa cztery znaczniki z pięciu w { $left } miejscach.
  }
fours-lost = { $had ->
    [one] { $sideName } miały cztery znaczniki z pięciu w jednym miejscu, a teraz nigdzie.
   *[many] { $sideName } miały cztery znaczniki z pięciu w { $had } miejscach, a teraz nigdzie.
  }
fours-change = { $had ->
    [one] { $sideName } miały cztery znaczniki z pięciu w jednym miejscu, a teraz w { $left }.
   *[many] { $sideName } miały cztery znaczniki z pięciu w { $had } miejscach, a teraz w { $left }.
  }

## The tab Review

review-progress =
    .aria-label = Postęp przeglądu
stop = Zatrzymaj
review-puzzles = Błędy jako zadania
review-depth = Głębokość
depth-quick = szybka
depth-normal = normalna
depth-thorough = dokładna
review-several = Kilka partii…
review-begun = Przegląd się zaczął.
review-done = Przegląd gotowy. Dokładność: białe { $white }, czarne { $black }.
review-later = Dostępne po partii lub podczas pauzy
review-again = Przejrzyj ponownie
accuracy = Dokładność
mean-lost = Strata
mean-lost-long = strata szans na ruch
blunders = poważne błędy
mistakes = błędy
inaccuracies = niedokładności
missed-rows = Przeoczone
missed-rows-long = przeoczone rzędy
turning-points = Punkty zwrotne
turning-point = { $number }. { $sideName } { $turn }: { $before } → { $after } dla białych
finding-chances = { $sideName } z { $before } na { $after }
better-is = Lepiej: { $turn }
next-mistake = Następny błąd ({ $count })
first-mistake = Pierwszy błąd
review-more = Więcej
accuracy-of = Dokładność: { $players }
label-fine = dobry
label-best = wybór silnika
finding-row-missed = Można było ułożyć rząd.
show-better = Pokaż
add-better-line = Dodaj lepszy wariant
note-better = Lepszy ruch.
note-better-chances = Lepszy ruch: { $share } dla białych.
retry = Spróbuj ponownie
retry-question = { $side ->
    [w] Znajdź dla białych lepszy ruch niż { $turn }.
   *[b] Znajdź dla czarnych lepszy ruch niż { $turn }.
  }
retry-thinking = Sprawdzanie…
retry-best = Brawo! To ruch z przeglądu.
retry-named = Ruch z przeglądu to { $turn }.
retry-good = Dobrze.
retry-better = Lepiej.
retry-no-better = To nie jest wyraźnie lepsze.
retry-compared = { $turn } traci { $lost }; { $mistake } traciło { $before }.
retry-another = Jest jeszcze lepszy ruch.
retry-other = Spróbuj innego

## The strategy lessons

strategy-close = Zamknij lekcje
strategy-task = { $side ->
    [w] Ruch białych. Ćwiczenie { $number } z { $count }.
   *[b] Ruch czarnych. Ćwiczenie { $number } z { $count }.
  }
strategy-tempo = Tempo
    .say = Groźba decyduje o tym, co przeciwnik musi zrobić. Ruch, który powstrzymuje rząd i zarazem grozi ułożeniem rzędu, zyskuje tempo. Znajdź ruch pierścienia, który robi jedno i drugie.
strategy-mobility = Ruchliwość
    .say = Kto ma mało ruchów, temu trudno ułożyć lub powstrzymać rząd. Pierścień nigdy nie przeskakuje pierścienia, więc twoje pierścienie mogą blokować linie. W każdym ćwiczeniu żaden inny ruch nie zostawia przeciwnikowi mniej ruchów.
strategy-saving = Oszczędzanie pierścieni
    .say = Każdy rząd kosztuje cię pierścień, a pozostałe muszą ułożyć następny rząd. Oddaj pierścień, który ma mało do roboty, i zachowaj te blisko twoich znaczników. Dobry ruch układa rząd, ale tylko jeden pierścień jest właściwą ceną.
strategy-double = Podwójne groźby
    .say = Jedną groźbę da się powstrzymać, dwóch często nie. Podwójna groźba to dwa możliwe rzędy albo jeden rząd, który można dokończyć na kilka sposobów. Znajdź ruch, po którym żadna odpowiedź nie powstrzyma twojego rzędu.
strategy-breaking = Rozbijanie rzędu
    .say = Rząd wymaga pięciu znaczników jednego koloru, więc rozbija go jeden odwrócony znacznik. Skok odwraca wszystkie znaczniki po drodze, także twoje. Znajdź skok, po którym przeciwnik nie może od razu ułożyć rzędu.
strategy-forcing = Zmuś przeciwnika do ułożenia twojego rzędu
    .say = Ruch przeciwnika może dokończyć rząd w twoim kolorze. Wtedy zdejmujesz rząd i pierścień jeszcze przed swoim ruchem. Znajdź ruch, po którym najlepsza odpowiedź układa twój rząd.
strategy-timing = Kiedy zdjąć pierścień
    .say = Rząd zabiera z planszy jeden z twoich pierścieni i potem masz mniej ruchów. Jeśli przeciwnik też grozi rzędem, powstrzymanie go może być więcej warte. W każdym ćwiczeniu możesz od razu ułożyć rząd, ale inny ruch jest lepszy.
strategy-last = Ostatni pierścień
    .say = Po dwóch zdjętych pierścieniach następny rząd wygrywa. Przeciwnik musi odpowiadać na każdą groźbę, więc to ty decydujesz o przebiegu gry. Znajdź groźby, które wymuszają ostatni pierścień.
strategy-placing = Stawianie pierścieni
    .say = Stawiaj pierścienie tam, gdzie mogą się ruszać. Pierścień blisko środka sięga do większej liczby pól niż pierścień na brzegu. Znajdź najlepsze pole dla następnego pierścienia.
strategy-endgame = Mało znaczników
    .say = Każdy ruch pierścienia zabiera znacznik z zapasu, a gdy żadnego nie ma, gra się kończy. Wtedy wygrywa ten, kto zdjął więcej pierścieni. Licz znaczniki: groźba, która przychodzi za późno, nic nie jest warta.

## Puzzles

puzzle-next = Następne zadanie
puzzle-show = Rozwiązanie
puzzle-theme = Temat
puzzle-rules = Ranking zmieniają tylko nowe zadania, a błędy z twoich partii nie. Zły ruch, podpowiedź lub podejrzenie rozwiązania oznacza zadanie nierozwiązane.
theme-mixed = Różne
theme-make-row = Ułóż rząd
theme-stop-row = Zablokuj rząd
theme-two-rows = Dwa rzędy
theme-break-and-make = Przerwij i ułóż
theme-right-ring = Zdejmij właściwy pierścień
theme-win = Wymuszona wygrana
theme-opponents-row = Prezent od przeciwnika
theme-threaten-row = Zagroź rzędem
theme-own = Błędy z zapisanych partii
puzzle-task = { $side ->
    [w] Ruch białych. { $task }.
   *[b] Ruch czarnych. { $task }.
  }
puzzle-task-rated = { $side ->
    [w] Ruch białych. { $task }. Ranking zadania: { $rating }.
   *[b] Ruch czarnych. { $task }. Ranking zadania: { $rating }.
  }
win-in = { $count ->
    [one] Wygraj w jednym ruchu
   *[many] Wygraj w { $count } ruchach
  }
puzzle-find = Znajdź jedyny dobry ruch
puzzle-own = { $side ->
    [w] Ruch białych. Znajdź lepszy ruch niż w swojej partii.
   *[b] Ruch czarnych. Znajdź lepszy ruch niż w swojej partii.
  }
puzzle-own-from = { $side ->
    [w] Ruch białych. Znajdź lepszy ruch niż w partii { $game }.
   *[b] Ruch czarnych. Znajdź lepszy ruch niż w partii { $game }.
  }
puzzle-away = Na planszy jest inna partia.
puzzles-loading = Wczytywanie zadań…
games-read-of = Wczytano { $number } z { $count } partii…
puzzle-no-mistakes = Jeszcze nie ma błędów. Zagraj partię, przejrzyj ją i wróć.
puzzle-games-fail = Nie można teraz odczytać partii: { $reason }.
puzzle-hint-row = Najpierw zdejmij rząd od { $first } do { $last }.
puzzle-hint-move = Przesuń pierścień z { $point }.
puzzle-hint-place = Postaw pierścień na { $point }.
puzzle-solution = Rozwiązanie: { $turns }.
puzzle-right = Dobrze.
puzzle-reply = Odpowiedź…
puzzle-right-next = Dobrze. Co teraz?
puzzle-wins = To wygrywa.
puzzle-why = { $turn }: { $facts }
puzzle-wins-in = { $count ->
    [one] To wygrywa w jednym ruchu.
   *[many] To wygrywa w { $count } ruchach.
  }
puzzle-other-ring = Rozwiązaniem było { $turn }, z innym pierścieniem.
puzzle-as-good = { $turn } jest równie dobre.
puzzle-played = { $turn } to ruch, który wykonano w partii.
puzzle-wrong = { $turn } to nie rozwiązanie.
puzzle-slower = { $turn } też wygrywa, ale wolniej.
puzzle-loses = { $count ->
    [one] { $turn } przegrywa: przeciwnik wygra w jednym ruchu.
   *[many] { $turn } przegrywa: przeciwnik wygra w { $count } ruchach.
  }
puzzle-not-it = { $turn } wygląda dobrze, ale to nie rozwiązanie.
puzzle-mistake = { $turn } to błąd: twoje szanse na wygraną spadają z { $before } do { $after }.
day-share = Zadanie dnia YINSH, { $date }: rozwiązane
day-text = Twój wynik do udostępnienia
day-link-damaged = Data w tym linku jest uszkodzona lub jeszcze nie nadeszła. Oto dzisiejsze zadanie.
puzzle-rating = Twój ranking: { $rating }. Seria: { $streak }, najlepsza: { $best }. Rozwiązane: { $solved } z { $count }.

## The moments in which a player lost most, in the tab Learn

moments-how = Tu strata była największa. Znajdź lepszy ruch.
moments-searching = Szukanie ruchów, które straciły najwięcej…
moments-none = Żaden twój ruch nie stracił 5% lub więcej.
moments-later = Dziś nie ma nic do powtórki. Następny moment wróci { $date }.
moments-never = Nie ma nic do powtórki.
moments-return = Nieodgadnięte momenty wracają po 1, 3 i 7 dniach w karcie Nauka.
moments-unreviewed = Partia nie została przejrzana.
moments-next = Następny moment
moments-list = Wszystkie momenty
moment-found = Znaleziony
moment-missed = Nieodgadnięty

## The puzzle rush, in the tab Learn

rush-today = Wyścig zadań dnia
rush-of-date = Wyścig zadań z { $date }
rush-how = Rozwiąż jak najwięcej zadań w trzy minuty. Trzeci błąd kończy wyścig. Każdego dnia wszyscy dostają te same zadania, coraz trudniejsze.
rush-begin = Zacznij dzisiejszy wyścig
rush-begin-date = Zacznij ten wyścig
rush-practice = Ćwicz
rush-stop = Zakończ
rush-solved = Rozwiązane: { $count }
rush-streak = Dni z rzędu: { $count }
rush-calendar = Zadania rozwiązane w ciągu ostatnich 14 dni
rush-text = Wynik do udostępnienia
rush-share = Wyścig zadań YINSH, { $date }, rozwiązane: { $count }
rush-link-damaged = Data w tym linku jest uszkodzona lub jeszcze nie nadeszła. Oto dzisiejszy wyścig.

## Challenges by link, in the tab Learn

challenge-how = Grasz z wybranym poziomem od ustawienia pierścieni, a potem wysyłasz link. Druga osoba gra z tym samym poziomem od tego samego ustawienia, a na te same ruchy odpowiada on tak samo. Potem oboje widzicie obie partie obok siebie.
challenge-by = Wyzwanie od: { $name }
challenge-received = Wyzwanie dla ciebie
challenge-invites = Zagraj białymi z poziomem { $level } od tego samego ustawienia. Potem zobaczysz obie partie obok siebie.
challenge-accept = Graj
challenge-measuring = Mierzenie dokładności twojej partii…
challenge-both = Partie obok siebie
challenge-result = Wynik
challenge-won = wygrana { $mine }–{ $theirs }
challenge-lost = przegrana { $mine }–{ $theirs }
challenge-drawn = remis { $mine }–{ $theirs }
challenge-resigned = poddana
challenge-accuracy = Dokładność: { $level }
challenge-help = Z pomocą
challenge-yes = tak
challenge-no = nie
challenge-friend = Druga osoba
challenge-see = { $name }: zobacz partię
challenge-link = Tekst i link do wysłania
challenge-text = Moja partia YINSH z poziomem { $level }: { $result }, dokładność { $accuracy }. Zagraj od tego samego ustawienia:
challenge-answer = Moja partia z poziomem { $level }: { $result }, dokładność { $accuracy }. Obie partie obok siebie:
challenge-fault-long = Ten link jest dłuższy, niż może być wyzwanie. Poproś o niego jeszcze raz.
challenge-fault-cut = Brakuje końca tego linku. Poproś o niego jeszcze raz lub skopiuj go w całości.
challenge-fault-damaged = Ten link został po drodze zmieniony: jego suma kontrolna jest błędna. Poproś o niego jeszcze raz.
challenge-fault-version = Ten link pochodzi z innej wersji strony. Odśwież stronę i otwórz go jeszcze raz.
challenge-fault-invalid = Ten link nie jest wyzwaniem.
challenge-fault-level = Ta strona nie ma poziomu „{ $level }”.
challenge-fault-turns = Ruchy w tym linku są niedozwolone: { $reason }

## The dialog My rating

rating-date = Data
rating-against = Przeciwnik
rating-result = Wynik
rating-rating = Ranking
rating-about = Partia się liczy, jeśli jest rozegrana na zasadach standardowych z poziomem, który ma ranking, od pierwszego ruchu do końca i bez pomocy: podpowiedzi, cofania ruchów, pauz, analizy, debiutów i trenera. Kopie partii się nie liczą. Gra losowa ma ranking 0. Prawdziwy ranking mieści się w zakresie po ± z prawdopodobieństwem 95%. Wyniki są zapisane w tej przeglądarce i w kopiach zapasowych.
rating-after = { $count ->
    [one] { $rating }, po jednej partii
   *[many] { $rating }, po { $count } partiach
  }
rating-none = Jeszcze żadna partia się nie liczyła.
rating-now-counts = Bieżąca partia się liczy.
rating-not-now = Bieżąca partia się nie liczy: { $reason }.
rating-not = Bez rankingu: { $reason }.
rating-changed = Twój ranking: { $rating } ({ $change }).
rating-provisional = { $rating }, tymczasowy
rating-chart = { $count ->
    [one] Ranking po jednej partii: na początku { $first }, teraz { $last }
   *[many] Ranking po { $count } partiach: na początku { $first }, teraz { $last }
  }
game-won = wygrana
game-drawn = remis
game-lost = przegrana
game-winner = Wygrały { $side ->
    [w] białe
   *[b] czarne
  }
not-rated-help = skorzystano z { $help }
help-with-hints = podpowiedzi
help-with-take-backs = cofania ruchów
help-with-pauses = pauz
help-with-the-analysis = analizy
help-with-the-openings = debiutów
help-with-the-coach = trenera
help-with-a-copy = kopii partii
not-rated-rules = ranking jest tylko dla zasad standardowych
not-rated-start = nie zaczęła się od pustej planszy
not-rated-level = poziom { $level } nie ma rankingu
not-rated-unknown = silnik { $engine } nie odpowiada, czy potrafi grać z zadanym rankingiem
not-rated-engine = silnik { $engine } nie potrafi grać z zadanym rankingiem
rating-not-stored = Nie można teraz zapisać wyniku do rankingu ({ $reason }).

## The dialog for reviewing several games

reviews-title = Przejrzyj kilka partii
reviews-new = Zaznacz nieprzejrzane
reviews-all = Wszystkie
reviews-none = Żadna
reviews-list =
    .aria-label = Partie do przejrzenia
reviews-progress =
    .aria-label = Postęp wszystkich przeglądów
reviews-summary =
    .aria-label = Podsumowanie według graczy
my-games = Moje partie
no-games-now = Nie można teraz zapisywać ani odczytywać partii: { $reason }
reviews-no-games = Nie ma partii z ruchami.
reviews-left-before = { $count ->
    [one] Z poprzedniego razu została jedna partia.
    [few] Z poprzedniego razu zostały { $count } partie.
   *[many] Z poprzedniego razu zostało { $count } partii.
  }
show-more-of = Pokaż jeszcze { $more } z { $count }
reviews-open = Dokładność { $accuracy }. Otwórz: { $game }
reviews-start = { $count ->
    [one] Przejrzyj jedną partię
    [few] Przejrzyj { $count } partie
   *[many] Przejrzyj { $count } partii
  }
reviews-begun = { $count ->
    [one] Trwa przegląd jednej partii.
   *[many] Trwa przegląd { $count } partii.
  }
game-of = Partia { $number } z { $count }.
may-be-closed = Możesz zamknąć to okno lub ukryć kartę.
reviews-done = { $count ->
    [one] Przejrzano jedną partię.
    [few] Przejrzano { $count } partie.
   *[many] Przejrzano { $count } partii.
  }
reviews-left = { $count ->
    [one] Została jedna partia. Wybierz Przejrzyj, aby kontynuować.
    [few] Zostały { $count } partie. Wybierz Przejrzyj, aby kontynuować.
   *[many] Zostało { $count } partii. Wybierz Przejrzyj, aby kontynuować.
  }
reviews-failed = { $count ->
    [one] Nie udało się przejrzeć jednej partii: { $reasons }.
   *[many] Nie udało się przejrzeć { $count } partii: { $reasons }.
  }
a-game = partia
game-being-played = jest właśnie rozgrywana
game-damaged = jest uszkodzona
game-gone = już nie istnieje
game-without-turns = nie ma ruchów
game-changed = zmieniła się
game-open-elsewhere = jest otwarta w innej karcie
reviews-elsewhere = Inna karta przegląda partie.
column-player = Gracz
column-games = Partie
column-accuracy = Dokładność
column-blunders = Poważne błędy
column-mistakes = Błędy
column-missed-rows = Przeoczone rzędy

## The dialog Games

games-kept = Zapisane w tej przeglądarce
games-this = Ta partia
games-open = Otwórz
save-all = Zapisz wszystkie w jednym pliku
back-up = Kopia zapasowa wszystkich
games-review = Przejrzyj kilka…
save-record = Zapisz zapis partii
save-sgf = Zapisz SGF
games-picture = Obrazek…
copy-record = Kopiuj zapis partii
copy-position = Kopiuj pozycję
formats = Zapis partii i plik SGF zawierają całą partię: wszystkie warianty, notatki, przegląd i zegary. Link zawiera ruchy jednego wariantu.
text-to-copy =
    .aria-label = Tekst do skopiowania
open-file = Otwórz plik…
games-editor = Ustaw pozycję…
paste = Albo wklej pozycję, ruchy, zapis partii, SGF z Boardspace lub log z Board Game Arena:
open-text = Otwórz tekst
reading-progress =
    .aria-label = Postęp wczytywania
record-copied = Zapis partii skopiowany.
record-below = Skopiuj zapis partii z pola poniżej.
saved-as = Zapisano jako { $name }.
games-read = { $count ->
    [one] Wczytano jedną partię
    [few] Wczytano { $count } partie
   *[many] Wczytano { $count } partii
  }
games-read-except = { $count ->
    [one] Wczytano jedną partię. Błędy:
    [few] Wczytano { $count } partie. Błędy:
   *[many] Wczytano { $count } partii. Błędy:
  }
and-more = i jeszcze { $count }.
games-none = Jeszcze nie ma partii.
list-open = otwarta
list-elsewhere = w innej karcie
show-more = Pokaż więcej z { $count }
count-games = { $count ->
    [one] { $count } partia
    [few] { $count } partie
   *[many] { $count } partii
  }
games-of = { $count ->
    [one] Jedna partia ze zbioru { $name }
    [few] { $count } partie ze zbioru { $name }
   *[many] { $count } partii ze zbioru { $name }
  }
delete = Usuń
delete-game = Usuń: { $game }
delete-all = Usuń wszystkie
deleted = Usunięto: { $what }.
not-restored = Nie można teraz przywrócić usuniętych partii: { $reason }.
games-written-of = Zapisano { $number } z { $count } partii…
games-saved = { $count ->
    [one] Zapisano jedną partię jako { $name }.
    [few] Zapisano { $count } partie jako { $name }.
   *[many] Zapisano { $count } partii jako { $name }.
  }
games-not-saved = { $count ->
    [one] Nie udało się zapisać jednej partii: { $reason }
   *[many] Nie udało się zapisać { $count } partii: { $reason }
  }
backup-without-results = Nie udało się odczytać wyników do twojego rankingu, więc ich brakuje.
backup-open = Otwórz plik w dowolnej przeglądarce, aby przywrócić partie.
games-added = { $count ->
    [one] Dodano jedną partię.
    [few] Dodano { $count } partie.
   *[many] Dodano { $count } partii.
  }
games-added-except = { $count ->
    [one] Dodano jedną partię; już tu były: { $same }.
    [few] Dodano { $count } partie; już tu były: { $same }.
   *[many] Dodano { $count } partii; już tu były: { $same }.
  }
not-a-game-file = To nie jest plik z partią.
file-is-utf16 = Ten plik jest w UTF-16. Zapisz go jako UTF-8.
file-is-compressed = Ten plik jest skompresowany. Najpierw go rozpakuj.
pasted-games = Wklejone partie
line-too-long = wiersz { $line }: ten tekst jest za długi na partię
game-number-error = partia { $number }: { $reason }
not-a-backup = to nie jest kopia zapasowa partii

## The tab for matches of engines

match-title = Mecz silników
match-match = Mecz
match-choice =
    .aria-label = Mecz
match-games =
    .aria-label = Partie meczu
match-points = Punkty w meczu: { $points }
match-progress =
    .aria-label = Postęp meczu
match-delete = Usuń ten mecz
match-new = Nowy mecz
match-limit = Na ruch
limit-positions = { $count ->
    [one] { $count } pozycja na ruch
    [few] { $count } pozycje na ruch
   *[many] { $count } pozycji na ruch
  }
limit-seconds = { $count } s na ruch
match-about = Partie grane są parami: każdy debiut dwa razy, z zamianą kolorów. Poziom gra z własną siłą w ramach limitu.
first-player = Pierwszy gracz
second-player = Drugi gracz
player-engine = { $player }: silnik
player-level = { $player }: poziom
engine-not-ready = silnik nie jest jeszcze gotowy
match-busy = Naraz może trwać tylko jeden mecz: teraz trwa { $match }.
match-game-turn = Partia { $number } z { $count }, ruch { $turn }.
match-counts = Wygrane: { $wins }, remisy: { $draws }, przegrane: { $losses } z { $count } partii, limit: { $limit }.
match-pairs = Pary według punktów pierwszego gracza
match-elo = Różnica Elo pierwszego gracza { $elo } ({ $share }: od { $low } do { $high }).
match-no-elo = Różnica Elo zostanie oszacowana po pierwszych parach.
too-many-orders-share = Dla twojego adresu trwa zbyt wiele meczów i analiz. Zatrzymaj jedną z nich.
match-superiority = Prawdopodobieństwo, że pierwszy gracz jest silniejszy: { $share }.
less-than = poniżej { $share }
more-than = ponad { $share }
match-open-game = { $side ->
    [w] { $score }, { $result } białymi. Otwórz partię
   *[b] { $score }, { $result } czarnymi. Otwórz partię
  }
match-failed = Mecz został przerwany: { $reason }.
match-over = Koniec meczu: { $score }.
match-stopped = Mecz jest wstrzymany. Możesz go wznowić w każdej chwili.
match-deleted = Usunięto mecz { $match }.
match-not-restored = Nie można teraz przywrócić meczu { $match }: { $reason }.
match-of = Mecz { $match }
match-note = { $count ->
    [one] { $limit }; pierwszy ruch to debiut.
    [few] { $limit }; pierwsze { $count } ruchy to debiut.
   *[many] { $limit }; pierwszych { $count } ruchów to debiut.
  }
match-chart = Elo po parach od { $first } do { $last }; teraz { $elo } ± { $error }
match-elsewhere = trwa w innej karcie
match-not-stored = nie można zapisać partii: { $reason }

## Games: finding stored games, and giving them names and tags

find-games =
    .aria-label = Szukaj partii
find-words =
    .aria-label = Szukaj nazw, graczy i etykiet
    .placeholder = Nazwa lub etykieta
find-player =
    .aria-label = Gracz
    .placeholder = Gracz
find-result =
    .aria-label = Wynik
find-source =
    .aria-label = Źródło
outcome-any = Wszystkie wyniki
outcome-white = Wygrane białych
outcome-black = Wygrane czarnych
outcome-draw = Remisy
outcome-open = Nieukończone
source-any = Wszystkie źródła
source-own = Zagrane tutaj
found-games = { $count ->
    [one] Znaleziono { $count } partię
    [few] Znaleziono { $count } partie
   *[many] Znaleziono { $count } partii
  }
find-none = Nie znaleziono partii. Wpisz mniej słów albo wybierz wszystkie wyniki i źródła.
find-more = Pokaż więcej z { $count }
name-game = Nazwa i etykiety: { $title }
name-game-short = Nazwa i etykiety
game-name = Nazwa
game-labels = Etykiety, oddzielone przecinkami
save-name = Zapisz
name-elsewhere = Ta partia jest otwarta w innej karcie. Nazwij ją tam.

## Why an engine has stopped, or refuses an option: parts of sentences. Words of the engine may follow in parentheses

wrong-engine-start = nie można uruchomić: { $engine }
wrong-engine-handshake = { $engine } nie odpowiada jak silnik
wrong-engine-died = { $engine } nieoczekiwanie zakończył działanie
wrong-engine-closed = { $engine } zamknął swoje wyjście
wrong-engine-silent = { $engine } nie odpowiada
wrong-engine-late = { $engine } nie podał ruchu na czas
wrong-engine-garbage = { $engine } nie przestrzega protokołu
wrong-engine-illegal = { $engine } podał niedozwolony ruch
wrong-engine-position = { $engine } nie przyjął pozycji
wrong-engine-ended = { $engine } został zakończony
wrong-engine-rejects = silnik odrzuca wartość { $value }
wrong-option-string = opcję { $name } można ustawić tylko w wierszu poleceń silnika
wrong-option-button = opcja { $name } jest przyciskiem i nie ma wartości
wrong-option-most = opcja { $name } na tym serwerze wynosi najwyżej { $most }
wrong-option-value = opcja { $name } nie może mieć wartości { $value }
wrong-option-unknown = silnik nie ma opcji { $name }
