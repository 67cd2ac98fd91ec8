# Las palabras en español de las partes que se cargan cuando hacen falta. Las notas están en inglés.

## The dialog for the settings

settings-title = Ajustes
done = Listo
setting-language = Idioma
setting-auto = Como el sistema
setting-board = Tablero
board-blue = Gris azulado
board-wood = Madera
board-slate = Pizarra oscura
setting-theme = Colores de la página
theme-light = Claro
theme-dark = Oscuro
setting-motion = Animación
motion-on = Siempre
motion-off = Nunca
setting-confirm = Confirmar las jugadas
confirm-people = En partidas con personas
confirm-always = Siempre
setting-side = Mi lado
side-bottom = Abajo
side-white-bottom = Blancas abajo
setting-coach = Entrenador, en partidas que no puntúan
setting-off = No
coach-on = Pregunta antes de un error grave
setting-sound = Sonido
sound-on = Sí

## Games against a person at another browser

remote-bar =
    .aria-label = Partida contra alguien en otro lugar
remote-share = Enviar enlace…
share-kinds = Para qué es el enlace
share-to-play = Para jugar
share-to-watch = Para mirar
share-link =
    .aria-label = Enlace
share-send = Compartir…
copy-link = Copiar enlace
share-qr = Código QR
share-code = Código QR del enlace
copy-text = Copiar
text-copied = Copiado.
text-copy-it = Copia el texto seleccionado.
resign-question = ¿Rendirte en esta partida?
your-opponent = tu rival
link-invite = Invita a un amigo
link-invite-how = Envía este enlace. Tu amigo lo abre en cualquier navegador, hace la primera jugada y te devuelve un enlace.
link-send = Envía tu jugada a { $who }
link-send-how = El enlace contiene la partida con tu jugada. Cuando recibas otro, ábrelo en este navegador.
link-your-turn = Te toca. Después envía el enlace a { $who }.
link-their-turn = Esperando el enlace de { $who }.
link-over = La partida ha terminado.
link-own = Este es el enlace con tu propia jugada. Envíaselo a tu rival; la próxima jugada es suya.
link-older = Este enlace es anterior a tu partida. El tablero muestra la última jugada.
link-other = Este enlace no continúa tu partida: sus jugadas son distintas. Tu partida no ha cambiado.
link-open-apart = Abrirlo aparte
room-entering = Entrando en la sala…
room-invite = Invita a un amigo
room-invite-how = Quien abra el primer enlace juega contra ti. Deja esta página abierta o vuelve más tarde: no se pierde ninguna jugada.
room-watch = Invita a espectadores
room-watch-how = Quien abra este enlace puede ver la partida.
room-off = Este tablero no tiene salas. Hay que iniciar el servidor con -rooms FILE.
room-gone = Esta sala no existe. Se ha cerrado, o el enlace está incompleto.
room-full = Hay demasiadas salas abiertas. Inténtalo más tarde.
room-crowded = Hay demasiadas personas viendo esta partida.
room-seat = Este enlace no da sitio en la sala. Pide un enlace para jugar o para mirar.
room-over = La partida ha terminado.
room-moved = La partida ha seguido mientras tanto. El tablero muestra la última jugada.
room-paused = El servidor no puede guardar jugadas en este momento. Todos los relojes están parados y no se pierde ninguna jugada.
room-share = Se han abierto demasiadas salas desde tu dirección. Inténtalo más tarde.
room-wait = Esperando a que tu rival abra el enlace.
room-here = Ya está aquí { $who }.
room-away = Sin conexión con { $who }.
room-spectator = Estás mirando.
room-watching = { $count ->
    [one] { $count } espectador.
   *[other] { $count } espectadores.
  }
room-rematch = ¿Revancha con los colores cambiados?

## Offers after a game

offer-sound = ¿Quieres oír las piezas?
offer-sound-yes = Activar el sonido
offer-install = Instala el tablero en este dispositivo. Así funciona sin conexión, en su propia ventana.
offer-install-yes = Instalar

## The dialog for setting up a position

editor-title = Crear una posición
editor-tools =
    .aria-label = Qué pone un clic en un punto
editor-board =
    .aria-label = Tablero para crear la posición
tool-white-ring = Anillo blanco
tool-black-ring = Anillo negro
tool-white-marker = Ficha blanca
tool-black-marker = Ficha negra
tool-erase = Borrar
editor-side = Juegan
editor-standard = estándar
editor-blitz = blitz
editor-won-white = Anillos ganados por blancas
editor-won-black = por negras
editor-text = Como texto
editor-empty = Vaciar tablero
editor-shown = Posición actual
editor-copy = Copiar texto
analyze = Analizar
editor-play = Jugar desde aquí…
editor-playable = Se puede jugar. { $prompt }
editor-over = La partida ha terminado. { $prompt }
editor-problem = No se puede jugar: { $problem }.
position-copied = Posición copiada.
position-below = Copia la posición del campo de abajo.
link-copied = Enlace copiado.
link-below = Copia el enlace del campo de abajo.
not-now = Ahora no es posible: { $reason }

## The tutorial

tutorial-board =
    .aria-label = Tablero del tutorial
lessons =
    .aria-label = Lecciones
lesson-number = { $number }. { $title }
lesson-of = Lección { $number } de { $count }
lesson-next = Siguiente
lesson-hint = Pista
lessons-done = Ya sabes jugar.
task-place = Colocar
    .say = Empiezan las blancas. Cada jugador coloca cinco anillos en puntos donde se cruzan líneas. Coloca uno donde quieras.
    .hint = El centro es un buen sitio: allí se cruzan más líneas.
    .done = Ese es tu primer anillo.
task-move = Mover
    .say = Después se mueven los anillos. Elige uno de tus anillos blancos y luego un punto de una de sus líneas.
    .hint = Un anillo se desliza por puntos libres, pero nunca por encima de otro anillo.
    .done = Tu anillo ha dejado una ficha donde estaba. Pasa en cada movimiento.
task-flip = Saltar y voltear
    .say = Un anillo puede saltar fichas. Se detiene en el primer punto libre tras ellas, y todas se voltean. Voltea las dos fichas negras de una vez.
    .hint = El anillo en d4 está en línea con ellas.
    .done = Las dos fichas son ahora blancas. Si fueran blancas, serían negras. La ficha que dejas no se voltea.
    .again = Has volteado menos de dos fichas. Salta las dos a la vez.
task-row = Hacer una fila
    .say = Tu objetivo es una fila: cinco fichas de tu color. Tienes cuatro, y tu anillo está en el quinto punto.
    .hint = Aparta el anillo de h8: deja la quinta ficha. Luego haz clic en la fila y en un anillo.
    .done = ¡Una fila! Sale del tablero con uno de tus anillos. Ese anillo es tu punto.
    .again = Aún no hay fila. ¿Qué anillo puede dejar la quinta ficha?
task-pay = Voltear para hacer fila
    .say = Un salto también puede completar una fila. La fila te cuesta el anillo que elijas, y con menos anillos tienes menos movimientos. Entrega uno que no necesites.
    .hint = El anillo en d4 puede saltar e5. El anillo en c6 tiene poco que hacer.
    .done = La ficha volteada ha completado la fila. El anillo es tu precio y tu punto.
    .again = Aún no hay fila. Una de las cinco fichas es negra: sáltala.
task-stop = Parar una fila
    .say = Las negras tienen cuatro en fila y un anillo que puede dejar la quinta ficha. Para la fila.
    .hint = Salta una de las cuatro fichas para voltearla. Tu anillo en h9 está en línea con f7.
    .done = Una ficha volteada, y se acabó la amenaza.
    .again = Las negras aún pueden hacer una fila con el anillo de f8. Voltea una de las cuatro fichas.
task-gift = El regalo de tu rival
    .say = La jugada de las negras ha completado una fila de tus fichas. Es tuya: quítala con un anillo al empezar tu jugada. Luego mueve como siempre.
    .hint = Haz clic en la fila y luego en un anillo que no necesites. Después mueve cualquier anillo.
    .done = Has quitado la fila antes de mover. Fíjate en lo que tus jugadas le regalan a tu rival.
task-rows = Filas largas y cruzadas
    .say = Seis en fila, y otra fila la cruza. Quitas una fila cada vez y eliges sus cinco fichas. Elige de modo que cuenten las dos filas.
    .hint = Las filas se cruzan en f3. Deja esa ficha: quita primero de f4 a f8 y luego de d1 a h5.
    .done = Dos filas en una jugada: dos anillos. De la fila larga siempre se queda una ficha.
    .again = La primera fila se ha llevado la ficha de f3, que la otra necesitaba. Déjala en el tablero.
task-win = Ganar
    .say = Con el tercer anillo que quitas, ganas la partida. Ya has quitado dos. Haz una fila más.
    .hint = Una de las cinco fichas es negra. El anillo en g8 puede saltarla.
    .done = Tres anillos: has ganado.
    .again = Todavía no. ¿Qué salto consigue cinco fichas blancas?

## The help dialog

help-mouse-title = Ratón y pantalla táctil
help-mouse = Haz clic en un anillo y luego en uno de los círculos, o arrastra el anillo hasta allí. Para quitar una fila, haz clic en su tirador, o en sus fichas hasta que quede una sola fila; luego haz clic en esa fila o en <b>Quitar</b>. El botón derecho del ratón dibuja flechas. Un clic durante una animación la salta.
help-keys-title = Teclas
key-up-down = en el tablero: por la línea de la letra; fuera de él: otras variantes
key-left-right = en el tablero: por la línea del número; fuera de él: una jugada atrás o adelante
key-shift = en el tablero: por la tercera línea
key-enter = elegir el punto o quitar la fila elegida
key-n-p = en el tablero: opción siguiente o anterior; fuera de él: error siguiente o anterior de una revisión
key-escape = un paso atrás
key-m-l = leer en voz alta las opciones o la última jugada
key-comma = una jugada atrás o adelante, desde cualquier sitio
key-home = primera o última posición
key-g-i = ir al tablero o al campo para jugadas
key-u-r = deshacer o repetir la última jugada
key-h = una pista en una partida contra un motor; otra vez para ver la jugada
key-f = girar el tablero
key-a-t = análisis, amenaza
key-d = empezar o terminar una flecha en el punto
key-help = esta ayuda
help-text-title = Jugadas como texto
help-text = <i>f6</i> coloca un anillo, <i>e4-e10</i> mueve uno, <i>xb3-b7xb2</i> quita la fila de b3 a b7 y el anillo en b2. Un punto y coma une las partes de una jugada.

## In the tab Analysis: what the targets of a picked ring lose

worth-about = El número en un destino indica qué porcentaje de tus opciones de ganar cuesta mover ahí; × son todas. Un círculo discontinuo es una primera estimación.
worth-nothing = no pierde nada
worth-loses = pierde { $share }
worth-short = tras un cálculo breve

## The dialog for pictures of the board

image-title = Imagen
image-preview =
    .alt = Vista previa de la imagen
image-coordinates = Coordenadas
image-last = Última jugada
image-size = Tamaño
pixels = { $count } píxeles
image-delay = Tiempo por jugada en el GIF
image-progress =
    .aria-label = Progreso del GIF
save-svg = Guardar SVG
save-png = Guardar PNG
save-gif = Guardar partida como GIF
image-too-large = el navegador no puede crear una imagen de este tamaño
image-canceled = Cancelado. No se ha guardado nada.
image-saved = Guardado como { $name } ({ $size }).

## The bar above the tabs while two engines play

watch =
    .aria-label = Mirar
watch-speed = Velocidad
speed-slow = lenta
speed-normal = normal
speed-fast = rápida
watch-next = Empezar la siguiente partida automáticamente
watch-score = Resultado { $first }–{ $second }

## The opening explorer

explorer-games = Partidas
explorer-engine = del motor
explorer-mine = guardadas aquí
explorer-turn = Jugada
explorer-count = Partidas
explorer-points = Puntos de blancas
explorer-score = Evaluación
explorer-none = Ninguna partida continúa desde aquí.
explorer-none-mine = Ninguna de tus partidas terminadas continúa desde aquí.
explorer-back = { $number ->
    [0] Volver al principio
   *[other] Volver a la jugada { $number }
  }
explorer-symmetric = Las jugadas simétricas se cuentan juntas.
explorer-most-played = Las { $shown } más jugadas de { $count }.
explorer-uncounted = { $count ->
    [one] No se ha podido contar una partida.
   *[other] No se han podido contar { $count } partidas.
  }
explorer-alike = y { $count } por simetría
explorer-counting = { $number } de { $count } partidas contadas…
explorer-fails = La tabla no está disponible: { $reason }
explorer-running = La partida está en marcha. Páusala para probar una jugada.

## The coach

coach = Entrenador
hint-search = Buscando una pista…
hint-show-turn = Ver la jugada
look-at-point = Mira { $point }.
look-at-ring = Mira el anillo en { $point }.
look-at-row = Mira la fila de { $first } a { $last }.
look-at-paying-ring = Mira el anillo en { $point }. Puedes quitarlo por la fila.
look-at-pass = Ningún anillo se puede mover.
hint-turn = El motor sugiere: { $turn }.
hint-back = Primero deshaz los pasos que has dado.
engine-cannot-say = El motor no puede responder ahora.
coach-looks = El entrenador está mirando { $turn }…
coach-skip = Jugarla ya
coach-blunder = { $turn } es un error grave: tus opciones de ganar bajan de { $before } a { $after }.
coach-reply = La flecha azul es la mejor respuesta, { $turn }.
coach-asks = ¿La juegas de todos modos?
coach-play = Jugarla igualmente

## What is good or bad about a turn

row-ends = de { $first } a { $last }
fact-wins = Gana la partida.
fact-loses-next = { $opponent } pueden ganar entonces con { $turn }.
fact-takes-rows = { $count ->
    [one] Quita la fila { $rows }.
   *[other] Quita las filas { $rows }.
  }
fact-gives-rows = { $count ->
    [one] Completa la fila { $rows } para { $opponent ->
        [Blancas] las blancas
        [Negras] las negras
       *[other] { $opponent }
      }.
   *[other] Completa las filas { $rows } para { $opponent ->
        [Blancas] las blancas
        [Negras] las negras
       *[other] { $opponent }
      }.
  }
fact-opens-row = Permite que { $opponent ->
        [Blancas] las blancas
        [Negras] las negras
       *[other] { $opponent }
      } hagan una fila con { $turn }.
fact-leaves-row = { $opponent } podían hacer una fila y aún pueden, con { $turn }.
fact-stops-rows = Impide que { $opponent ->
        [Blancas] las blancas
        [Negras] las negras
       *[other] { $opponent }
      } hagan una fila.
fact-misses-row = { $had ->
    [0] { $left ->
        [one] { $side ->
        [w] Las blancas
       *[b] Las negras
      } podían quitar una fila con { $turn }.
       *[other] { $side ->
        [w] Las blancas
       *[b] Las negras
      } podían quitar { $left } filas con { $turn }.
      }
   *[other] { $side ->
        [w] Las blancas
       *[b] Las negras
      } podían quitar { $left } filas en vez de { $had } con { $turn }.
  }
fact-pays-other = { $count ->
    [one] Por la misma fila, { $side ->
        [w] las blancas
       *[b] las negras
      } podían quitar el anillo en { $rings }.
   *[other] Por las mismas filas, { $side ->
        [w] las blancas
       *[b] las negras
      } podían quitar los anillos en { $rings }.
  }
fact-threatens = Amenaza con hacer una fila con { $turn }.
fact-few-markers = { $left ->
    [0] No quedan fichas: gana quien haya quitado más anillos.
    [one] Queda una ficha: después gana quien haya quitado más anillos.
   *[other] Quedan { $left } fichas: después gana quien haya quitado más anillos.
  }
fours-new = { $left ->
    [one] Consigue cuatro fichas de una fila en un sitio.
   *[other] Consigue cuatro fichas de una fila en { $left } sitios.
  }
fours-lost = { $had ->
    [one] { $side ->
        [w] Las blancas
       *[b] Las negras
      } tenían cuatro fichas de una fila en un sitio y ahora en ninguno.
   *[other] { $side ->
        [w] Las blancas
       *[b] Las negras
      } tenían cuatro fichas de una fila en { $had } sitios y ahora en ninguno.
  }
fours-change = { $had ->
    [one] { $side ->
        [w] Las blancas
       *[b] Las negras
      } tenían cuatro fichas de una fila en un sitio y ahora en { $left }.
   *[other] { $side ->
        [w] Las blancas
       *[b] Las negras
      } tenían cuatro fichas de una fila en { $had } sitios y ahora en { $left }.
  }

## The tab Review

review-progress =
    .aria-label = Progreso de la revisión
stop = Parar
review-puzzles = Errores como ejercicios
review-depth = Profundidad
depth-quick = rápida
depth-normal = normal
depth-thorough = a fondo
review-several = Varias partidas…
review-begun = La revisión ha empezado.
review-done = La revisión está lista. Precisión: blancas { $white }, negras { $black }.
review-later = Disponible después de la partida o en pausa
review-again = Revisar otra vez
accuracy = Precisión
mean-lost = Pérdida
mean-lost-long = opciones perdidas por jugada
blunders = errores graves
mistakes = errores
inaccuracies = imprecisiones
missed-rows = Filas
missed-rows-long = filas perdidas
turning-points = Momentos clave
turning-point = { $number }. { $sideName } { $turn }: { $before } → { $after } para las blancas
finding-chances = { $sideName } de { $before } a { $after }
better-is = Mejor: { $turn }
next-mistake = Siguiente error ({ $count })
first-mistake = Primer error
review-more = Más
accuracy-of = Precisión: { $players }
label-fine = buena
label-best = la elegida por el motor
finding-row-missed = Se podía hacer una fila.
show-better = Mostrar
add-better-line = Añadir la línea mejor
note-better = Mejor.
note-better-chances = Mejor: { $share } para las blancas.
retry = Reintentar
retry-question = Encuentra una jugada de { $side ->
        [w] las blancas
       *[b] las negras
      } mejor que { $turn }.
retry-thinking = Comprobando…
retry-best = ¡Muy bien! Es la jugada de la revisión.
retry-named = La jugada de la revisión es { $turn }.
retry-good = Buena.
retry-better = Mejor.
retry-no-better = No es claramente mejor.
retry-compared = { $turn } pierde { $lost }; { $mistake } perdía { $before }.
retry-another = Hay una jugada aún mejor.
retry-other = Probar otra

## The strategy lessons

strategy-close = Cerrar lecciones
strategy-task = Juegan { $side ->
        [w] blancas
       *[b] negras
    }. Ejercicio { $number } de { $count }.
strategy-tempo = El tempo
    .say = Una amenaza decide lo que tu rival tiene que hacer. Una jugada que impide una fila y a la vez amenaza otra gana un tempo. Busca la jugada de anillo que hace las dos cosas.
strategy-mobility = La movilidad
    .say = Quien tiene pocas jugadas difícilmente puede hacer o impedir una fila. Un anillo nunca salta sobre otro, así que los tuyos pueden cerrar líneas. En cada ejercicio, ninguna otra jugada deja menos jugadas a tu rival.
strategy-saving = Conservar anillos
    .say = Cada fila te cuesta un anillo, y los que quedan deben hacer la siguiente. Entrega un anillo con poco que hacer y conserva los que están cerca de tus fichas. La jugada correcta hace una fila, pero solo un anillo es el precio correcto.
strategy-double = Amenazas dobles
    .say = Una amenaza se puede parar; dos, muchas veces no. Una amenaza doble son dos filas posibles, o una fila que puedes completar de varias maneras. Encuentra la jugada tras la cual ninguna respuesta impide tu fila.
strategy-breaking = Romper una fila
    .say = Una fila necesita cinco fichas de un color, así que una sola ficha girada la rompe. Un salto gira todas las fichas de su camino, también las tuyas. Encuentra el salto tras el cual tu rival no puede hacer una fila enseguida.
strategy-forcing = Obligar al rival a hacer tu fila
    .say = La jugada de tu rival puede completar una fila de tu color. Entonces quitas la fila y un anillo antes de tu jugada. Encuentra la jugada tras la cual la mejor respuesta hace tu fila.
strategy-timing = Cuándo tomar tu anillo
    .say = Una fila quita del tablero uno de tus anillos, y después tienes menos jugadas. Si tu rival también amenaza una fila, impedirla puede valer más. En cada ejercicio podrías hacer una fila ahora, pero otra jugada es mejor.
strategy-last = El último anillo
    .say = Tras dos anillos quitados, la siguiente fila gana. Tu rival debe responder a cada amenaza, así que tú decides lo que pasa. Encuentra las amenazas que fuerzan el último anillo.
strategy-placing = Colocar anillos
    .say = Coloca los anillos donde se puedan mover. Un anillo cerca del centro alcanza más puntos que uno en el borde. Encuentra el mejor punto para el siguiente anillo.
strategy-endgame = Pocas fichas
    .say = Cada jugada de anillo toma una ficha de la reserva, y la partida acaba cuando no queda ninguna. Entonces gana quien ha quitado más anillos. Cuenta las fichas: una amenaza que llega tarde no vale nada.

## Puzzles

puzzle-next = Siguiente ejercicio
puzzle-show = Solución
puzzle-theme = Tema
puzzle-rules = Solo los ejercicios nuevos cambian tu puntuación; los errores de tus partidas, no. Una jugada errónea, una pista o ver la solución cuentan como no resuelto.
theme-mixed = Mezcla
theme-make-row = Haz una fila
theme-stop-row = Para una fila
theme-two-rows = Dos filas
theme-break-and-make = Rompe y construye
theme-right-ring = Quita el anillo correcto
theme-win = Victoria forzada
theme-opponents-row = El regalo de tu rival
theme-threaten-row = Amenaza con una fila
theme-own = Errores de partidas guardadas
puzzle-task = Juegan { $side ->
        [w] blancas
       *[b] negras
      }. { $task }.
puzzle-task-rated = Juegan { $side ->
        [w] blancas
       *[b] negras
      }. { $task }. Puntuación: { $rating }.
win-in = { $count ->
    [one] Gana en una jugada
   *[other] Gana en { $count } jugadas
  }
puzzle-find = Encuentra la única jugada correcta
puzzle-own = Juegan { $side ->
        [w] blancas
       *[b] negras
      }. Encuentra una jugada mejor que la de tu partida.
puzzle-own-from = Juegan { $side ->
        [w] blancas
       *[b] negras
      }. Encuentra una jugada mejor que la de { $game }.
puzzle-away = Hay otra partida en el tablero.
puzzles-loading = Cargando los ejercicios…
games-read-of = { $number } de { $count } partidas leídas…
puzzle-no-mistakes = Aún no hay errores. Juega una partida, revísala y vuelve.
puzzle-games-fail = Las partidas no se pueden leer ahora: { $reason }.
puzzle-hint-row = Quita primero la fila de { $first } a { $last }.
puzzle-hint-move = Mueve el anillo de { $point }.
puzzle-hint-place = Coloca un anillo en { $point }.
puzzle-solution = Solución: { $turns }.
puzzle-right = Correcto.
puzzle-reply = La respuesta…
puzzle-right-next = Correcto. ¿Y ahora?
puzzle-wins = Así se gana.
puzzle-why = { $turn }: { $facts }
puzzle-wins-in = { $count ->
    [one] Gana en una jugada.
   *[other] Gana en { $count } jugadas.
  }
puzzle-other-ring = La solución era { $turn }, con otro anillo.
puzzle-as-good = { $turn } es igual de buena.
puzzle-played = { $turn } es la jugada que hiciste.
puzzle-wrong = { $turn } no es la solución.
puzzle-slower = { $turn } también gana, pero más despacio.
puzzle-loses = { $count ->
    [one] { $turn } pierde: tu rival gana entonces en una jugada.
   *[other] { $turn } pierde: tu rival gana entonces en { $count } jugadas.
  }
puzzle-not-it = { $turn } parece buena, pero no es la solución.
puzzle-mistake = { $turn } es un error: tus opciones de ganar bajan de { $before } a { $after }.
day-share = Ejercicio del día de YINSH, { $date }: resuelto
day-text = Tu resultado para compartir
day-link-damaged = La fecha de este enlace está dañada o aún no ha llegado. Este es el ejercicio de hoy.
puzzle-rating = Tu puntuación: { $rating }. Racha { $streak }, la mejor { $best }. Resueltos { $solved } de { $count }.

## The moments in which a player lost most, in the tab Learn

moments-how = Aquí perdiste más. Encuentra una jugada mejor.
moments-searching = Buscando las jugadas que más perdieron…
moments-none = Ninguna de tus jugadas perdió un 5 % o más.
moments-later = Hoy no hay nada que repetir. El próximo momento vuelve el { $date }.
moments-never = No hay nada que repetir.
moments-return = Los momentos fallados vuelven tras 1, 3 y 7 días, en la pestaña Aprender.
moments-unreviewed = La partida no se ha revisado.
moments-next = Siguiente momento
moments-list = Todos los momentos
moment-found = Encontrada
moment-missed = Fallada

## The puzzle rush, in the tab Learn

rush-today = Carrera de ejercicios del día
rush-of-date = Carrera de ejercicios del { $date }
rush-how = Resuelve tantos ejercicios como puedas en tres minutos. El tercer error termina la carrera. Cada día todos reciben los mismos ejercicios, cada vez más difíciles.
rush-begin = Empezar la de hoy
rush-begin-date = Empezar esta carrera
rush-practice = Practicar
rush-stop = Parar
rush-solved = { $count } resueltos
rush-streak = Días seguidos: { $count }
rush-calendar = Ejercicios resueltos en los últimos 14 días
rush-text = El resultado para compartir
rush-share = Carrera de ejercicios de YINSH, { $date }: { $count } resueltos
rush-link-damaged = La fecha de este enlace está dañada o aún no ha llegado. Esta es la carrera de hoy.

## Challenges by link, in the tab Learn

challenge-how = Juegas contra un nivel desde una colocación de anillos y luego envías un enlace. Tu amigo juega desde la misma colocación contra el mismo nivel, que responde igual a las mismas jugadas. Después ambos veis las dos partidas una al lado de otra.
challenge-by = Un reto de { $name }
challenge-received = Te han retado
challenge-invites = Juega con blancas contra { $level } desde la misma colocación. Después verás las dos partidas una al lado de otra.
challenge-accept = Jugar
challenge-measuring = Midiendo la precisión de tu partida…
challenge-both = Las partidas una al lado de otra
challenge-result = Resultado
challenge-won = ganó { $mine }–{ $theirs }
challenge-lost = perdió { $mine }–{ $theirs }
challenge-drawn = empató { $mine }–{ $theirs }
challenge-resigned = se rindió
challenge-accuracy = Precisión de { $level }
challenge-help = Con ayuda
challenge-yes = sí
challenge-no = no
challenge-friend = Tu amigo
challenge-see = { $name }: ver la partida
challenge-link = El texto y el enlace para enviar
challenge-text = He jugado a YINSH contra { $level }: { $result }, precisión { $accuracy }. Juega desde la misma colocación:
challenge-answer = Mi partida contra { $level }: { $result }, precisión { $accuracy }. Las dos partidas una al lado de otra:
challenge-fault-long = Este enlace es más largo de lo que puede ser un reto. Pídelo otra vez.
challenge-fault-cut = Falta el final de este enlace. Pídelo otra vez o cópialo entero.
challenge-fault-damaged = Este enlace se alteró en el camino: su suma de control es incorrecta. Pídelo otra vez.
challenge-fault-version = Este enlace es de otra versión de la página. Recarga la página y ábrelo otra vez.
challenge-fault-invalid = Este enlace no es un reto.
challenge-fault-level = Esta página no tiene el nivel «{ $level }».
challenge-fault-turns = Las jugadas de este enlace no son legales: { $reason }

## The dialog My rating

rating-date = Fecha
rating-against = Rival
rating-result = Resultado
rating-rating = Puntuación
rating-about = Una partida cuenta si se juega con las reglas estándar contra un nivel con puntuación, desde la primera jugada hasta el final y sin ayuda: pistas, jugadas deshechas, pausas, análisis, aperturas o entrenador. Las copias de partidas no cuentan. Jugar al azar tiene una puntuación de 0. El margen tras ± contiene la puntuación real con una probabilidad del 95 %. Los resultados se guardan en este navegador y en las copias de seguridad.
rating-after = { $count ->
    [one] { $rating }, tras una partida
   *[other] { $rating }, tras { $count } partidas
  }
rating-none = Aún no ha contado ninguna partida.
rating-now-counts = La partida actual cuenta.
rating-not-now = La partida actual no cuenta: { $reason }.
rating-not = No puntúa: { $reason }.
rating-changed = Tu puntuación: { $rating } ({ $change }).
rating-provisional = { $rating }, provisional
rating-chart = { $count ->
    [one] Puntuación tras una partida: { $first } al principio, { $last } ahora
   *[other] Puntuación tras { $count } partidas: { $first } al principio, { $last } ahora
  }
game-won = ganada
game-drawn = empatada
game-lost = perdida
game-winner = { $side ->
    [w] ganaron las blancas
   *[b] ganaron las negras
  }
not-rated-help = has usado { $help }
help-with-hints = pistas
help-with-take-backs = el botón Deshacer
help-with-pauses = pausas
help-with-the-analysis = el análisis
help-with-the-openings = las aperturas
help-with-the-coach = el entrenador
help-with-a-copy = una copia de la partida
not-rated-rules = las puntuaciones son para las reglas estándar
not-rated-start = no empezó con el tablero vacío
not-rated-level = el nivel { $level } no tiene puntuación
not-rated-unknown = { $engine } no responde si puede jugar a una puntuación dada
not-rated-engine = { $engine } no puede jugar a una puntuación dada
rating-not-stored = El resultado no se puede guardar ahora para tu puntuación ({ $reason }).

## The dialog for reviewing several games

reviews-title = Revisar varias partidas
reviews-new = Elegir sin revisar
reviews-all = Todas
reviews-none = Ninguna
reviews-list =
    .aria-label = Partidas para revisar
reviews-progress =
    .aria-label = Progreso de todas las revisiones
reviews-summary =
    .aria-label = Resumen por jugador
my-games = Mis partidas
no-games-now = Las partidas no se pueden guardar ni leer ahora: { $reason }
reviews-no-games = No hay partidas con jugadas.
reviews-left-before = { $count ->
    [one] Queda una partida de la vez anterior.
   *[other] Quedan { $count } partidas de la vez anterior.
  }
show-more-of = Mostrar { $more } más de { $count }
reviews-open = Precisión { $accuracy }. Abrir { $game }
reviews-start = { $count ->
    [one] Revisar una partida
   *[other] Revisar { $count } partidas
  }
reviews-begun = { $count ->
    [one] Revisando una partida.
   *[other] Revisando { $count } partidas.
  }
game-of = Partida { $number } de { $count }.
may-be-closed = Puedes cerrar este diálogo u ocultar la pestaña.
reviews-done = { $count ->
    [one] Una partida revisada.
   *[other] { $count } partidas revisadas.
  }
reviews-left = { $count ->
    [one] Queda una partida. Elige Revisar para continuar.
   *[other] Quedan { $count } partidas. Elige Revisar para continuar.
  }
reviews-failed = { $count ->
    [one] No se ha podido revisar una partida: { $reasons }.
   *[other] No se han podido revisar { $count } partidas: { $reasons }.
  }
a-game = una partida
game-being-played = se está jugando
game-damaged = está dañada
game-gone = ya no existe
game-without-turns = no tiene jugadas
game-changed = ha cambiado
game-open-elsewhere = está abierta en otra pestaña
reviews-elsewhere = Otra pestaña está revisando partidas.
column-player = Jugador
column-games = Partidas
column-accuracy = Precisión
column-blunders = Errores graves
column-mistakes = Errores
column-missed-rows = Filas perdidas

## The dialog Games

games-kept = Guardadas en este navegador
games-this = Esta partida
games-open = Abrir
save-all = Guardar todas en un archivo
back-up = Copia de seguridad de todas
games-review = Revisar varias…
save-record = Guardar registro
save-sgf = Guardar SGF
games-picture = Imagen…
copy-record = Copiar registro
copy-position = Copiar posición
formats = Los registros y archivos SGF contienen la partida completa: todas las líneas, las notas, la revisión y los relojes. Un enlace contiene las jugadas de una línea.
text-to-copy =
    .aria-label = Texto para copiar
open-file = Abrir un archivo…
games-editor = Crear una posición…
paste = O pega una posición, jugadas, un registro, un SGF de Boardspace o un registro de Board Game Arena:
open-text = Abrir texto
reading-progress =
    .aria-label = Progreso de la lectura
record-copied = Registro copiado.
record-below = Copia el registro del campo de abajo.
saved-as = Guardado como { $name }.
games-read = { $count ->
    [one] Una partida leída
   *[other] { $count } partidas leídas
  }
games-read-except = { $count ->
    [one] Una partida leída. Errores:
   *[other] { $count } partidas leídas. Errores:
  }
and-more = y { $count } más.
games-none = Aún no hay partidas.
list-open = abierta
list-elsewhere = en otra pestaña
show-more = Mostrar más de { $count }
count-games = { $count ->
    [one] { $count } partida
   *[other] { $count } partidas
  }
games-of = { $count ->
    [one] Una partida de { $name }
   *[other] { $count } partidas de { $name }
  }
delete = Borrar
delete-game = Borrar { $game }
delete-all = Borrar todas
deleted = Borrado: { $what }.
not-restored = Las partidas borradas no se pueden recuperar ahora: { $reason }.
games-written-of = { $number } de { $count } partidas escritas…
games-saved = { $count ->
    [one] Una partida guardada como { $name }.
   *[other] { $count } partidas guardadas como { $name }.
  }
games-not-saved = { $count ->
    [one] No se ha podido guardar una partida: { $reason }
   *[other] No se han podido guardar { $count } partidas: { $reason }
  }
backup-without-results = Los resultados de tu puntuación no se han podido leer y faltan.
backup-open = Abre el archivo en cualquier navegador para recuperar las partidas.
games-added = { $count ->
    [one] Una partida añadida.
   *[other] { $count } partidas añadidas.
  }
games-added-except = { $count ->
    [one] Una partida añadida; { $same } ya estaban aquí.
   *[other] { $count } partidas añadidas; { $same } ya estaban aquí.
  }
not-a-game-file = Este no es un archivo de partida.
file-is-utf16 = Este archivo está en UTF-16. Guárdalo como UTF-8.
file-is-compressed = Este archivo está comprimido. Descomprímelo primero.
pasted-games = Partidas pegadas
line-too-long = línea { $line }: este texto es demasiado largo para una partida
game-number-error = partida { $number }: { $reason }
not-a-backup = esto no es una copia de seguridad de partidas

## The tab for matches of engines

match-title = Encuentro de motores
match-match = Encuentro
match-choice =
    .aria-label = Encuentro
match-games =
    .aria-label = Partidas del encuentro
match-points = Puntos en el encuentro: { $points }
match-progress =
    .aria-label = Progreso del encuentro
match-delete = Borrar este encuentro
match-new = Nuevo encuentro
match-limit = Por jugada
limit-positions = { $count } posiciones por jugada
limit-seconds = { $count } s por jugada
match-about = Las partidas van por parejas: cada apertura se juega dos veces, cambiando los colores. Un nivel juega con su propia fuerza dentro del límite.
first-player = Primer jugador
second-player = Segundo jugador
player-engine = { $player }: motor
player-level = { $player }: nivel
engine-not-ready = el motor aún no está listo
match-busy = Solo puede haber un encuentro en marcha: ahora es { $match }.
match-game-turn = Partida { $number } de { $count }, jugada { $turn }.
match-counts = Ganadas { $wins }, empatadas { $draws }, perdidas { $losses } de { $count } partidas, con { $limit }.
match-pairs = Parejas según los puntos del primer jugador
match-elo = Diferencia de Elo del primer jugador { $elo } ({ $share }: de { $low } a { $high }).
match-no-elo = La diferencia de Elo se estima tras las primeras parejas.
too-many-orders-share = Hay demasiados encuentros y revisiones en marcha desde tu dirección. Detén uno.
match-superiority = El primer jugador es más fuerte con una probabilidad de { $share }.
less-than = menos de { $share }
more-than = más de { $share }
match-open-game = { $score }, { $result } con { $side ->
        [w] blancas
       *[b] negras
      }. Abrir la partida
match-failed = El encuentro se ha detenido: { $reason }.
match-over = El encuentro ha terminado: { $score }.
match-stopped = El encuentro está en pausa. Puedes seguir cuando quieras.
match-deleted = Encuentro { $match } borrado.
match-not-restored = El encuentro { $match } no se puede recuperar ahora: { $reason }.
match-of = Encuentro { $match }
match-note = { $limit }; las primeras { $count } jugadas son la apertura.
match-chart = Elo tras las parejas { $first } a { $last }; ahora { $elo } ± { $error }
match-elsewhere = está en marcha en otra pestaña
match-not-stored = no se puede guardar una partida: { $reason }

## Finding and naming games

find-games =
    .aria-label = Buscar partidas
find-words =
    .aria-label = Buscar nombres, jugadores y etiquetas
    .placeholder = Nombre o etiqueta
find-player =
    .aria-label = Jugador
    .placeholder = Jugador
find-result =
    .aria-label = Resultado
find-source =
    .aria-label = Origen
outcome-any = Todos los resultados
outcome-white = Ganan blancas
outcome-black = Ganan negras
outcome-draw = Empates
outcome-open = Sin terminar
source-any = Todos los orígenes
source-own = Jugadas aquí
found-games = { $count ->
    [one] { $count } partida encontrada
   *[other] { $count } partidas encontradas
  }
find-none = Ninguna partida coincide. Busca menos palabras, o elige todos los resultados y orígenes.
find-more = Mostrar más de { $count }
name-game = Nombre y etiquetas de { $title }
name-game-short = Nombre y etiquetas
game-name = Nombre
game-labels = Etiquetas, separadas por comas
save-name = Guardar
name-elsewhere = Esta partida está abierta en otra pestaña. Ponle nombre allí.

## Why an engine has stopped, or refuses an option: parts of sentences. Words of the engine may follow in parentheses

wrong-engine-start = { $engine } no se puede iniciar
wrong-engine-handshake = { $engine } no responde como un motor
wrong-engine-died = { $engine } ha terminado inesperadamente
wrong-engine-closed = { $engine } ha cerrado su salida
wrong-engine-silent = { $engine } no responde
wrong-engine-late = { $engine } no ha dado una jugada a tiempo
wrong-engine-garbage = { $engine } no ha respetado el protocolo
wrong-engine-illegal = { $engine } ha dado una jugada ilegal
wrong-engine-position = { $engine } no ha aceptado la posición
wrong-engine-ended = { $engine } fue detenido
wrong-engine-rejects = el motor rechaza el valor { $value }
wrong-option-string = la opción { $name } solo se puede fijar en la línea de órdenes del motor
wrong-option-button = la opción { $name } es un botón y no tiene valor
wrong-option-most = la opción { $name } es como máximo { $most } en este servidor
wrong-option-value = la opción { $name } no puede ser { $value }
wrong-option-unknown = el motor no tiene la opción { $name }
