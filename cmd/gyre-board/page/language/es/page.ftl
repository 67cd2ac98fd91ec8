# Las palabras de la página en español que se necesitan primero. Las notas están en inglés.

## Names of the sides

white = Blancas
black = Negras

## The top of the page

on-gyre = en Gyre
on-gyre-blitz = : blitz
menu =
    .aria-label = Menú
new-game = Nuevo juego
new-game-narrow = Nuevo
games = Partidas
settings = Ajustes
help = Ayuda

## Above the board

game-area =
    .aria-label = Partida
connecting = Conectando…
hint = Pista
    .title = Mostrar dónde mirar (h). Una partida con pistas no cuenta para tu puntuación.
turn-steps =
    .aria-label = Pasos de esta jugada
waiting-for-name = { $sideName }: esperando a { $name }.
waiting-for-side = { $sideName }: esperando al otro jugador.
game-handed-over = Tu partida está ahora abierta en otra pestaña.
board =
    .aria-label = Tablero

prompt-of-side = { $sideName }: { $prompt }
prompt-your-turn = { $sideName }, te toca: { $prompt }
ask-place = Coloca un anillo ({ $number } de { $count }).
ask-move = Mueve uno de tus anillos.
ask-target = Elige adónde va { $point }.
ask-pass = Ninguno de tus anillos se puede mover, así que pasas.
# If the player wants to confirm turns
ask-confirm = ¿Hacer esta jugada?
ask-row = Quita tu fila.
ask-five = Elige las cinco fichas que quieres quitar.
ask-row-of = Quita una fila ({ $number } de { $count }).
ask-ring = Ahora quita uno de tus anillos.
ask-given-row = Tu rival ha completado tu fila. Quítala antes de mover.
ask-given-five = Tu rival ha completado tu fila. Elige las cinco fichas que quieres quitar antes de mover.
ask-given-row-of = Tu rival ha completado tus filas. Quita una antes de mover ({ $number } de { $count }).
ask-complete = La jugada está completa.
over-result = La partida ha terminado. { $result }
looking-at-turn = Estás viendo la jugada { $number } de la partida. { $words }
looking-at-start = Estás viendo el inicio de la partida.
side-engine-stopped = { $sideName }: { $engine } se ha detenido. Reinícialo para continuar.
side-thinking = { $sideName }: { $engine } está pensando…
back-to-game = Volver a la partida
play-on-here = Jugar desde aquí
your-turn = Te toca

step-place = Anillo en { $to }
step-move = { $from } a { $to }
step-pass = Pasar
step-row = Fila de { $first } a { $last }
step-ring = Anillo en { $from }
step-then = , luego
step-take = retirada de la fila de { $first } a { $last } y del anillo en { $ring }

turn-sentence = { $side ->
        [w] Las blancas
       *[b] Las negras
      } { $acts }.
act-place = colocan un anillo en { $to }
act-move = { $count ->
    [0] mueven de { $from } a { $to }
    [one] mueven de { $from } a { $to }, voltean una ficha
   *[other] mueven de { $from } a { $to }, voltean { $count } fichas
  }
act-pass = pasan porque ningún anillo se puede mover
act-row = quitan la fila de { $first } a { $last } y el anillo en { $ring }

result-wins = Ganan { $side ->
        [w] las blancas
       *[b] las negras
      } { $most }–{ $least }.
result-you-win = ¡Has ganado { $most }–{ $least }!
result-you-lose = Has perdido { $least }–{ $most }.
result-you-resigned = Has abandonado.
result-draw = Empate { $most }–{ $least }.
result-time = { $loser } sin tiempo: ganan { $side ->
        [w] las blancas
       *[b] las negras
      }.
result-resignation = { $loser } se rinden: ganan { $side ->
        [w] las blancas
       *[b] las negras
      }.
result-wins-by = Ganan { $side ->
        [w] las blancas
       *[b] las negras
      } ({ $why }).
result-draw-by = Empate ({ $why }).

## On the board, read out by screen readers

point-white-ring = anillo blanco
point-black-ring = anillo negro
point-white-marker = ficha blanca
point-black-marker = ficha negra
point-vacant = libre
press-places = colocar tu anillo aquí
press-picks = { $count ->
    [one] puede ir a un punto
   *[other] puede ir a { $count } puntos
  }
picked = elegido
press-moves = { $count ->
    [0] mover aquí
    [one] mover aquí, voltea una ficha
   *[other] mover aquí, voltea { $count } fichas
  }
press-row = en una de tus filas
press-takes-row = en la fila elegida, pulsa para quitarla
press-takes-ring = quitar este anillo
press-confirms = pulsa otra vez para quitarlo
picked-point = { $point }, { $count ->
    [one] un destino
   *[other] { $count } destinos
  }.
confirm-ring = ¿Quitar el anillo en { $point }? Púlsalo otra vez, o pulsa Quitar.
nothing-to-choose = Ahora no hay nada que elegir.
choices-place = { $count ->
    [one] Un punto libre para un anillo.
   *[other] { $count } puntos libres para un anillo.
  }
choices-rings = Anillos de { $side ->
        [w] las blancas
       *[b] las negras
      } que se pueden mover: { $points }.
choices-targets = Desde { $point }: { $targets }.
target-flips = { $point }, voltea { $count }
choices-ring-for-row = Anillos que puedes quitar: { $points }.
choices-pass = Ningún anillo se puede mover. Pulsa Pasar.
row-of-rows = Fila { $number } de { $count }, de { $first } a { $last }.
arrow-from = Flecha desde { $point }: ve a su final y pulsa d otra vez.
arrow-drawn = Flecha de { $from } a { $to } dibujada.
arrow-removed = Flecha de { $from } a { $to } borrada.
markers-left = { $count ->
    [one] ficha restante
   *[other] fichas restantes
  }

## Below the board

choices =
    .aria-label = Elección
choice-row = Fila de { $first } a { $last }
row-enter = Fila de { $first } a { $last }, Intro la quita.
choice-row-of = Fila { $number } de { $count }: de { $first } a { $last }
choice-ring = Anillo en { $point }
choice-pass = Ninguno de tus anillos se puede mover.
previous-row = Fila anterior
next-row = Fila siguiente
take = Quitar
take-row = Quitar esta fila
take-ring = Quitar este anillo
pass = Pasar
confirm = Jugar
step-back = Atrás
step-through =
    .aria-label = Recorrer la partida
go-first =
    .aria-label = Primera posición
    .title = Primera posición (Inicio)
go-back =
    .aria-label = Una jugada atrás
    .title = Una jugada atrás (←)
go-forward =
    .aria-label = Una jugada adelante
    .title = Una jugada adelante (→)
go-last =
    .aria-label = Última posición
    .title = Última posición (Fin)
take-back = Deshacer
take-back-button =
    .title = Deshacer la última jugada (u)
replay = Repetir
replay-button =
    .title = Ver otra vez la última jugada (r)
# In a frame of another site: a link to the whole page
full-board = Abrir el tablero completo
flip-board = Girar
flip-board-button =
    .title = Girar el tablero (f)
pause = Pausar
pause-game = Pausar la partida
play-on = Seguir
resign = Rendirse
resign-again = ¿Rendirte? Pulsa otra vez.
has-resigned = { $side ->
        [w] Las blancas
       *[b] Las negras
      } se han rendido.
taken-back = Jugada deshecha.
no-turn-played = No se ha hecho ninguna jugada.
turn-unfinished = Termina primero la jugada o deshaz su último paso con Esc.

## The two players

you = Tú
name-you = { $name } (tú)
thinking = pensando…
rings-won = { $count ->
    [one] { $rings } de { $count } anillo ganado
   *[other] { $rings } de { $count } anillos ganados
  }
clock-of = Reloj de { $side ->
        [w] las blancas
       *[b] las negras
      }: { $time }

## The tabs

game-details =
    .aria-label = Detalles de la partida
panels =
    .aria-label = Paneles
tab-end = Resultado
tab-learn = Aprender
# The badge on the tab Learn, for screen readers: the number of moments that are due
due-count = { $count } para repetir
tab-turns = Jugadas
tab-analysis = Análisis
tab-review = Revisión
tall-panel =
    .title = Ampliar el panel

## The tab Result

end-review = Revisar la partida
end-challenge = Comparar y enviar
moments = Tus tres momentos
end-rematch = Revancha
end-other = Cambiar de color
end-level = Siguiente nivel
end-level-named = Más fuerte: { $level }
end-level-easier = Más fácil: { $level }
turns = { $count ->
    [one] { $count } jugada
   *[other] { $count } jugadas
  }
facts-markers = { $count ->
    [one] { $count } ficha restante
   *[other] { $count } fichas restantes
  }
rules-name-standard = reglas estándar
rules-name-blitz = reglas blitz

## The levels

level-beginner = Principiante
level-novice = Novato
level-casual = Aficionado
level-club = Club
level-strong = Fuerte
level-expert = Experto
level-full-strength = Fuerza máxima
about-level-beginner = Conoce las reglas y poco más.
about-level-novice = Ve las filas que ya están hechas.
about-level-casual = Tiene un plan, pero se le escapan cosas.
about-level-club = Mira una jugada más allá y comete menos errores.
about-level-strong = Regala muy poco.
about-level-expert = Difícil de ganar.
about-level-full-strength = Juega lo mejor que puede en su tiempo.

## The tab Learn

learn-by-playing = Aprende jugando
strategy = Estrategia
puzzles = Ejercicios
theme-day = Ejercicio del día
rush = Carrera de ejercicios
challenge = Retar a un amigo
moments-due = Momentos para repetir
my-rating = Mi puntuación
rules-goal = <b>YINSH</b> es un juego para dos. Haz filas de cinco fichas de tu color. Con cada fila ganas uno de tus anillos: quien antes quite <b>tres anillos</b> gana.
rules-goal-blitz = <b>YINSH</b> es un juego para dos. Haz una fila de cinco fichas de tu color. Con ella ganas uno de tus anillos: quien antes quite <b>un anillo</b> gana.
rules-place = <b>Colocar.</b> Empiezan las blancas. Por turnos, cada jugador coloca cinco <b>anillos</b> en los puntos libres que quiera.
rules-move = <b>Mover.</b> Después, en cada jugada mueves uno de tus anillos por una línea. Donde estaba deja una <b>ficha</b> de tu color. El anillo se desliza por puntos libres. Puede saltar fichas, y se detiene en el primer punto libre tras ellas. Nunca pasa por encima de un anillo.
rules-flip = <b>Voltear.</b> Todas las fichas saltadas se voltean: las blancas pasan a negras y las negras a blancas. La ficha que acabas de dejar no se voltea.
rules-row = <b>Fila.</b> Cinco fichas de tu color en fila salen del tablero, y con ellas uno de tus anillos. Ese anillo es tu punto.
rules-rows = <b>Filas largas y cruzadas.</b> Si hay más de cinco fichas en fila, eliges cinco. Si tienes varias filas, las quitas de una en una, con un anillo cada vez. Una fila que pierde una ficha al quitar otra deja de ser fila.
rules-gift = <b>Filas de tu rival.</b> Si tu jugada completa una fila de tu rival, la quita, junto con un anillo, al empezar su jugada. Luego mueve como siempre.
rules-win = <b>Ganar.</b> Gana quien antes quite <b>tres</b> anillos.
rules-win-blitz = <b>Ganar.</b> Esto es blitz: gana quien antes quite <b>un</b> anillo, así que la primera fila decide.
rules-end = <b>Sin fichas.</b> Cuando las 51 fichas están en el tablero, la partida termina: gana quien haya quitado más anillos, y si hay igualdad es empate. Si tu jugada completa la última fila de los dos jugadores, ganas tú, porque tu fila sale primero. Si ninguno de tus anillos se puede mover, pasas.

picture-place = Anillos de los dos jugadores en puntos donde se cruzan líneas
picture-move = Un anillo se ha movido por una línea y ha dejado una ficha
picture-flip = Un anillo ha saltado tres fichas, y todas se han volteado
picture-row = Cinco fichas blancas en fila, y el anillo blanco que sale con ellas
picture-rows = Dos filas de fichas blancas que se cruzan
picture-gift = Un anillo negro ha saltado una ficha y ha completado una fila de fichas blancas
picture-win = Tres anillos blancos
picture-end = Dos anillos blancos y uno negro

rules-watch = Juegan dos motores; tú miras.
rules-you-are = Juegas con { $side ->
        [w] blancas
       *[b] negras
      }.
rules-both = Juegas con los dos colores.
rules-click = Elige un anillo para ver adónde puede ir y luego uno de los círculos. La línea en negrita siempre dice qué toca hacer.

## The tab Analysis

engine = Motor
line-count = Líneas
threat = Amenaza
openings = Aperturas
analysis-off = Activa el motor para ver su evaluación, sus mejores líneas y flechas en el tablero.
analysis-locked = El motor, las amenazas, las aperturas y la revisión están bloqueados hasta que termine esta partida. Los espectadores los tienen.
engine-choice =
    .aria-label = Motores que analizan
engine-options = Opciones del motor
option-threads = Hilos
option-hash = Memoria (MiB)
game-over = La partida ha terminado.
thinks-own-turn = Está pensando su propia jugada.
engine-busy = Ocupado
engine-thinking = Pensando…
engine-done = listo
engine-taken = { $engine } está ocupado con otra tarea
depth = profundidad { $depth }
nodes = { $count } nodos
nodes-per-second = { $count }/s
line-number = Línea { $number }
whole-line = Mostrar toda la línea
or-turns = o { $turns }
threat-search = Buscando una amenaza…
threat-none = Ninguna amenaza.
threat-found = { $side ->
        [w] Las blancas
       *[b] Las negras
      } amenazan con { $turn }.
line-only-shown = La partida está en marcha, así que la línea solo se muestra. Pausa la partida para probarla.

## Scores

score-label = Evaluación { $score }. { $words }
no-score-yet = Aún sin evaluación
wins-in = { $count ->
    [one] { $side ->
        [w] Las blancas
       *[b] Las negras
      } ganan en una jugada
   *[other] { $side ->
        [w] Las blancas
       *[b] Las negras
      } ganan en { $count } jugadas
  }
white-chances = Opciones de las blancas: { $share }
graph-label = Opciones de las blancas durante la partida
graph-start = Inicio
graph-turn = Jugada { $number }, { $turn }
graph-chances = { $share } para las blancas ({ $score })
graph-no-score = sin evaluación
graph-lost = pierde { $share }
label-inaccuracy = imprecisión
label-mistake = error
label-blunder = error grave
analysis-time = Tiempo por posición
scores-are-whites = Las evaluaciones y opciones son las de las blancas: por encima de cero, y de { $half }, las blancas van por delante.

## The tab Turns

turn-list =
    .aria-label = Jugadas de la partida
no-turn-yet = Aún no hay jugadas.
variation-from = Variante desde la jugada { $number }
turn-lost = pierde { $share }
row-missed = fila perdida
row-missed-title = Aquí se podía hacer una fila
turns-deleted = Se ha borrado la variante desde la jugada { $number }.
not-a-turn = «{ $text }» no es una jugada. Las jugadas se escriben así: f6, e4-e8 o e4-e8;xe4-e8f6.
not-possible-now = { $text } no es posible ahora.
promote = Hacer línea principal
delete-turns = Borrar desde aquí
turn-box = Jugada
enter-turn = Jugar
note = Nota sobre esta jugada

## The dialog for a new game

new-who = Jugadores
new-engine = Tú y un motor
new-people = Dos personas
new-engines = Dos motores
new-link = Con un amigo, por enlace
new-link-how = Después de cada jugada le envías un enlace a tu amigo. No hace falta servidor, y los dos tenéis todo el tiempo que queráis.
new-room = Con un amigo, en directo
new-room-how = Le envías a tu amigo un solo enlace. A partir de ahí los dos veis cada jugada al momento, en dos dispositivos.
your-name = Tu nombre
new-side = Juegas con
new-against = Rival
engine-of = Motor para { $side ->
        [w] las blancas
       *[b] las negras
      }
level-of = Nivel para { $side ->
        [w] las blancas
       *[b] las negras
      }
level-choice = { $level } ({ $elo })
level-elo = Elo { $elo }; jugar al azar es 0.
side-white-first = Blancas (empiezan)
side-black = Negras
side-random = Al azar
new-rules = Reglas
rules-standard = Estándar: se gana con tres anillos
rules-blitz = Blitz: se gana con un anillo
clock = Reloj
clock-none = Sin reloj
clock-choice = { $minutes } min + { $seconds } s
new-here = Empezar desde la posición del tablero
match-of-engines = Encuentro de motores…
cancel = Cancelar
new-start = Jugar

## Durations

seconds = { $count } s
minutes = { $count } min
no-limit = Sin límite

## Notices above the board, and their buttons

close = Cerrar
undo = Deshacer
try-again = Reintentar
reload = Recargar la página
trying-again = { $what } Reintentando…
lost-server = Se ha perdido la conexión con el servidor del tablero.
lost-program = El programa del tablero se ha detenido.
too-many-boards = Hay demasiados tableros abiertos. Cierra otra pestaña.
too-many-boards-share = Hay demasiados tableros abiertos desde tu dirección. Cierra otra pestaña.
too-many-engines = Hay demasiados motores en marcha. Cierra otra pestaña.
too-many-engines-share = Hay demasiados motores en marcha desde tu dirección. Cierra otra pestaña.
too-many-requests = Hay demasiadas peticiones en espera. Inténtalo más tarde.
program-fails = El programa del tablero no funciona en este navegador ({ $why }).
worker-missing = no se puede cargar su worker
downloading = Descargando el programa del tablero…
download = Descargar
download-interrupted = Descarga interrumpida. Seguirá cuando vuelva la conexión.
too-large = el mensaje es demasiado grande para el tablero
too-large-of = el mensaje ocupa más de { $most } KiB
engine-restarted = { $engine } ha fallado y se ha reiniciado ({ $reason }).
engine-stopped = { $engine } se ha detenido: { $reason }
engine-not-started = { $engine } no se puede iniciar: { $reason }
restart-engine = Reiniciar { $engine }
new-version = Hay una nueva versión del tablero.
load-version = Cargarla
open-elsewhere = Esta partida está abierta en otra pestaña.
open-copy = Abrir una copia
continued-as-copy = Otra pestaña ha cambiado esta partida. Aquí continúa como copia.
nothing-stored = Este navegador bloquea los datos de sitios, así que no se guarda nada: las partidas y los ajustes duran hasta que cierres o recargues esta pestaña.
link-damaged = Este enlace está dañado. Cópialo otra vez, entero.
game-not-stored = Esta partida no se puede guardar ahora: { $reason }. Está a salvo mientras esta pestaña siga abierta.
storage-full = el almacenamiento del navegador está lleno
storage-blocked = el navegador bloquea los datos de sitios
storage-damaged = la base de datos del navegador está dañada
not-allowed = el navegador no lo permite
error-other = error inesperado ({ $error })
save-as-file = Guardar como archivo
repair = Reparar la base de datos
repaired = { $count ->
    [one] Se ha reparado la base de datos. Se ha conservado una partida.
   *[other] Se ha reparado la base de datos. Se han conservado { $count } partidas.
  }
repaired-lost = { $count ->
    [one] No se ha podido leer una partida.
   *[other] No se han podido leer { $count } partidas.
  }
not-repaired = La base de datos no se puede reparar. Guarda esta partida como archivo y borra los datos de este sitio en los ajustes del navegador.
part-not-opened = { $part }: no se puede abrir, { $reason }.
part-not-loaded = { $part }: no se puede cargar, { $reason }.
no-connection = no hay conexión
other-version = el tablero se ha actualizado
bad-answer = el servidor ha respondido { $status }
bad-type = el servidor envía { $file } como { $type }, así que el navegador no lo ejecuta
part-tutorial = El tutorial
part-watch = La barra para mirar
part-review = La revisión
part-pictures = Las imágenes de las reglas
part-sound = El sonido
part-settings = Los ajustes
part-games = La lista de partidas
part-image = El diálogo de imágenes
part-worth = Los valores de los destinos
part-explorer = El explorador de aperturas
part-editor = El editor de posiciones
part-coach = El entrenador
part-rating = Tu puntuación
part-strategy = Las lecciones de estrategia
part-puzzles = Los ejercicios
part-rush = La carrera de ejercicios
part-challenge = El reto
part-moments = Tus tres momentos
part-due = Los momentos para repetir
part-reviews = La revisión de varias partidas
part-match = El encuentro de motores
part-offers = Las sugerencias tras una partida
part-remote = La partida con alguien en otro lugar
part-help = La ayuda

## What is wrong with a position or a turn

fault-at = { $place }: { $reason }
place-line = línea { $number }
place-turn = jugada { $number }
place-packet = paquete { $packet }, notificación { $number }
wrong-empty = el texto está vacío
wrong-no-game = el texto no contiene ninguna partida
wrong-too-long = el texto es demasiado largo
wrong-field-count = una posición tiene tres campos (tablero, bando y marcador), no { $count }
wrong-column-count = el tablero tiene { $count } columnas en vez de { $wanted }
wrong-column-sign = la columna { $column } contiene «{ $sign }»; solo se permiten W, B, w, b y números
wrong-column-length = la columna { $column } debe tener { $wanted } puntos
wrong-bad-side = el bando que juega es w o b
wrong-bad-score = un marcador son los anillos quitados por las blancas, un guion y los de las negras, por ejemplo 0-0
wrong-many-markers = { $count } fichas en el tablero; el juego tiene { $most }
wrong-many-turns = más de { $most } jugadas
wrong-waiting-row = el bando que acaba de jugar no ha quitado la fila { $row }
wrong-bad-removed = la partida acaba con { $most } anillos quitados; este marcador es imposible
wrong-many-rings = un bando tiene { $count } anillos, { $removed } de ellos quitados; el límite es { $most }
wrong-early-pieces = antes de colocar todos los anillos no hay fichas ni anillos quitados
wrong-early-side = con estos anillos colocados no le puede tocar a este bando
wrong-not-a-turn = «{ $part }» no es parte de una jugada; escribe f6, e4-e10, xb3-b7xb2 o pass
wrong-game-over = la partida acaba antes de esta jugada
wrong-row-left = primero hay que quitar la fila { $row }
wrong-move-missing = falta la jugada de anillo
wrong-no-row = no hay ninguna fila { $row } que quitar
wrong-no-ring = el bando que juega no tiene ningún anillo en { $point }
wrong-cannot-pass = no se puede pasar: un anillo puede moverse
wrong-all-placed = todos los anillos están colocados: mueve un anillo
wrong-not-vacant = { $point } no está libre
wrong-not-placed = no están colocados todos los anillos: coloca un anillo
wrong-cannot-move = el anillo de { $from } no puede ir a { $to }
wrong-bad-rules = las reglas son standard o blitz
wrong-bad-command = este comando no indica una posición
wrong-bad-point = «{ $point }» no es un punto del tablero
wrong-damaged = los datos propios de Gyre en este archivo, como variantes y notas, están dañados
wrong-other-side = { $side ->
    [b] les toca a las negras
   *[w] les toca a las blancas
  }
wrong-not-legal = esto no está permitido
wrong-bad-tag = una etiqueta debe tener la forma [Nombre "valor"]
wrong-duplicate-tag = esta etiqueta aparece dos veces
wrong-tag-inside = una etiqueta sigue a una partida sin resultado; termina la partida con un resultado como 3-1, o con *
wrong-no-result = la partida acaba sin resultado; escribe uno como 3-1, o * si no ha terminado
wrong-bad-result = «{ $text }» no es un resultado; escribe uno como 3-1, o *
wrong-wrong-result = este resultado no corresponde a las jugadas
wrong-other-result = este resultado es distinto del de la etiqueta Result
wrong-turn-number = se esperaba el número de jugada { $number }
wrong-variation = una partida en este formato no tiene variantes; quita los paréntesis y lo que contienen, o usa SGF
wrong-open-comment = falta la llave que cierra este comentario
wrong-not-text = el texto contiene caracteres no válidos
wrong-other-game = esta es una partida de { $game }, no de YINSH
wrong-no-setup = falta la propiedad SU, que da el nombre del juego
wrong-no-parenthesis = una partida debe empezar por «(», no por «{ $found }»
wrong-cut-file = el archivo acaba en mitad de una partida
wrong-too-deep = hay más de { $most } paréntesis abiertos
wrong-no-property = se esperaba una propiedad en lugar de «{ $found }»
wrong-no-value = la propiedad { $name } no tiene valor
wrong-open-bracket = este corchete no se cierra
wrong-not-a-log = este no es un registro completo de una partida de Board Game Arena
wrong-no-moves = el registro no contiene jugadas de YINSH
wrong-unknown-move = jugada desconocida: «{ $move }»
wrong-not-played = no hay ninguna jugada que deshacer
wrong-not-first = la primera jugada debe ser de { $name }, que lleva las blancas
wrong-marker-elsewhere = la ficha está en { $marker }, pero el anillo sale de { $ring }
wrong-not-a-row = de { $from } a { $to } no hay una fila de cinco
wrong-other-winner = el registro da otro ganador que las jugadas
wrong-moves-missing = según el registro la partida ha terminado, pero faltan jugadas
