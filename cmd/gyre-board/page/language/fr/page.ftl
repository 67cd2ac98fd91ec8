# Les mots de la page en français, ceux dont elle a besoin d’abord. Explications : fichiers anglais.

## Names of the sides

white = Blancs
black = Noirs

## The top of the page

on-gyre = sur Gyre
on-gyre-blitz = : blitz
menu =
    .aria-label = Menu
new-game = Nouvelle partie
new-game-narrow = Nouveau
games = Parties
settings = Options
help = Aide

## Above the board

game-area =
    .aria-label = Partie
connecting = Connexion…
hint = Indice
    .title = Montrer où regarder (h). Une partie jouée avec des indices ne compte pas pour ton classement.
turn-steps =
    .aria-label = Étapes de ce coup
waiting-for-name = { $sideName } : on attend { $name }.
waiting-for-side = { $sideName } : on attend l’autre joueur.
game-handed-over = Ta partie est maintenant ouverte dans un autre onglet.
board =
    .aria-label = Plateau

prompt-of-side = { $sideName } : { $prompt }
prompt-your-turn = À toi ({ $sideName }) : { $prompt }
ask-place = Place un anneau ({ $number } sur { $count }).
ask-move = Déplace un de tes anneaux.
ask-target = Choisis où va { $point }.
ask-pass = Aucun de tes anneaux ne peut bouger : tu passes.
# If the player wants to confirm turns
ask-confirm = Jouer ce coup ?
ask-row = Retire ton alignement.
ask-five = Choisis les cinq marqueurs à retirer.
ask-row-of = Retire un alignement ({ $number } sur { $count }).
ask-ring = Retire maintenant un de tes anneaux.
ask-given-row = Ton adversaire a complété ton alignement. Retire-le avant de jouer.
ask-given-five = Ton adversaire a complété ton alignement. Choisis les cinq marqueurs à retirer avant de jouer.
ask-given-row-of = Ton adversaire a complété tes alignements. Retires-en un avant de jouer ({ $number } sur { $count }).
ask-complete = Le coup est terminé.
over-result = La partie est terminée. { $result }
looking-at-turn = Tu regardes le coup { $number } de la partie. { $words }
looking-at-start = Tu regardes le début de la partie.
side-engine-stopped = { $sideName } : { $engine } s’est arrêté. Relance-le pour continuer.
side-thinking = { $sideName } : { $engine } réfléchit…
back-to-game = Retour à la partie
play-on-here = Jouer à partir d’ici
your-turn = À toi de jouer

step-place = Anneau en { $to }
step-move = { $from } à { $to }
step-pass = Passe
step-row = Alignement de { $first } à { $last }
step-ring = Anneau en { $from }
step-then = , puis
step-take = retrait de l’alignement de { $first } à { $last } et de l’anneau en { $ring }

turn-sentence = Les { $sideName } { $acts }.
act-place = placent un anneau en { $to }
act-move = { $count ->
    [0] déplacent un anneau de { $from } à { $to }
    [one] déplacent un anneau de { $from } à { $to }, retournent un marqueur
   *[other] déplacent un anneau de { $from } à { $to }, retournent { $count } marqueurs
  }
act-pass = passent, car aucun anneau ne peut bouger
act-row = retirent l’alignement de { $first } à { $last } et l’anneau en { $ring }

result-wins = Les { $sideName } gagnent { $most }–{ $least }.
result-you-win = Tu gagnes { $most }–{ $least } !
result-you-lose = Tu perds { $least }–{ $most }.
result-you-resigned = Tu as abandonné.
result-draw = Partie nulle, { $most }–{ $least }.
result-time = Temps écoulé pour les { $loser } : les { $sideName } gagnent.
result-resignation = Les { $loser } abandonnent : les { $sideName } gagnent.
result-wins-by = Les { $sideName } gagnent ({ $why }).
result-draw-by = Partie nulle ({ $why }).

## On the board, read out by screen readers

point-white-ring = anneau blanc
point-black-ring = anneau noir
point-white-marker = marqueur blanc
point-black-marker = marqueur noir
point-vacant = libre
press-places = place ton anneau ici
press-picks = { $count ->
    [one] peut aller sur { $count } intersection
   *[other] peut aller sur { $count } intersections
  }
picked = choisi
press-moves = { $count ->
    [0] va ici
    [one] va ici, retourne un marqueur
   *[other] va ici, retourne { $count } marqueurs
  }
press-row = dans un de tes alignements
press-takes-row = dans l’alignement choisi, appuie pour le retirer
press-takes-ring = retire cet anneau
press-confirms = appuie encore pour le retirer
picked-point = { $point }, { $count ->
    [one] { $count } destination
   *[other] { $count } destinations
  }.
confirm-ring = Retirer l’anneau en { $point } ? Appuie encore dessus, ou sur Retirer.
nothing-to-choose = Il n’y a rien à choisir pour l’instant.
choices-place = { $count ->
    [one] { $count } intersection libre pour un anneau.
   *[other] { $count } intersections libres pour un anneau.
  }
choices-rings = Anneaux { $side ->
    [b] noirs
   *[w] blancs
  } qui peuvent bouger : { $points }.
choices-targets = Depuis { $point } : { $targets }.
target-flips = { $point }, retourne { $count }
choices-ring-for-row = Anneaux que tu peux retirer : { $points }.
choices-pass = Aucun anneau ne peut bouger. Appuie sur Passer.
row-of-rows = Alignement { $number } sur { $count }, de { $first } à { $last }.
arrow-from = Flèche depuis { $point } : va à son extrémité et appuie encore sur d.
arrow-drawn = Flèche de { $from } à { $to } tracée.
arrow-removed = Flèche de { $from } à { $to } effacée.
markers-left = { $count ->
    [one] marqueur restant
   *[other] marqueurs restants
  }

## Below the board

choices =
    .aria-label = Choix
choice-row = Alignement de { $first } à { $last }
row-enter = Alignement de { $first } à { $last }, Entrée le retire.
choice-row-of = Alignement { $number } sur { $count } : de { $first } à { $last }
choice-ring = Anneau en { $point }
choice-pass = Aucun de tes anneaux ne peut bouger.
previous-row = Alignement précédent
next-row = Alignement suivant
take = Retirer
take-row = Retirer cet alignement
take-ring = Retirer cet anneau
pass = Passer
confirm = Jouer
step-back = Retour
step-through =
    .aria-label = Parcourir la partie
go-first =
    .aria-label = Première position
    .title = Première position (Début)
go-back =
    .aria-label = Coup précédent
    .title = Coup précédent (←)
go-forward =
    .aria-label = Coup suivant
    .title = Coup suivant (→)
go-last =
    .aria-label = Dernière position
    .title = Dernière position (Fin)
take-back = Annuler
take-back-button =
    .title = Annuler le dernier coup (u)
replay = Revoir
replay-button =
    .title = Revoir le dernier coup (r)
# In a frame of another site: a link to the whole page
full-board = Ouvrir le plateau complet
flip-board = Tourner
flip-board-button =
    .title = Tourner le plateau (f)
pause = Pause
pause-game = Mettre la partie en pause
play-on = Reprendre
resign = Abandon
resign-again = Abandonner ? Encore.
has-resigned = Les { $sideName } ont abandonné.
taken-back = Coup annulé.
no-turn-played = Aucun coup n’a été joué.
turn-unfinished = Termine d’abord le coup, ou reprends sa dernière étape avec Échap.

## The two players

you = Toi
name-you = { $name } (toi)
thinking = réfléchit…
rings-won = { $count ->
    [one] Anneaux gagnés : { $rings } sur { $count }
   *[other] Anneaux gagnés : { $rings } sur { $count }
  }
clock-of = Pendule des { $sideName } : { $time }

## The tabs

game-details =
    .aria-label = Détails de la partie
panels =
    .aria-label = Panneaux
tab-end = Résultat
tab-learn = Apprendre
# The badge on the tab Learn, for screen readers: the number of moments that are due
due-count = { $count } à revoir
tab-turns = Coups
tab-analysis = Analyse
tab-review = Bilan
tall-panel =
    .title = Agrandir le panneau

## The tab Result

end-review = Bilan de la partie
end-challenge = Comparer et envoyer
moments = Tes trois moments
end-rematch = Revanche
end-other = Changer de camp
end-level = Niveau suivant
end-level-named = Plus fort : { $level }
end-level-easier = Plus facile : { $level }
turns = { $count ->
    [one] { $count } coup
   *[other] { $count } coups
  }
facts-markers = { $count ->
    [one] { $count } marqueur restant
   *[other] { $count } marqueurs restants
  }
rules-name-standard = règles standard
rules-name-blitz = règles blitz

## The levels

level-beginner = Débutant
level-novice = Novice
level-casual = Amateur
level-club = Joueur de club
level-strong = Fort
level-expert = Expert
level-full-strength = Pleine puissance
about-level-beginner = Connaît les règles, et guère plus.
about-level-novice = Voit les alignements déjà là.
about-level-casual = A un plan, mais laisse passer des choses.
about-level-club = Voit un coup à l’avance et se trompe moins.
about-level-strong = Fait peu de cadeaux.
about-level-expert = Difficile à battre.
about-level-full-strength = Joue de son mieux dans le temps dont il dispose.

## The tab Learn

learn-by-playing = Apprendre en jouant
strategy = Stratégie
puzzles = Problèmes
theme-day = Problème du jour
rush = Course aux problèmes
challenge = Défier un ami
moments-due = Moments à revoir
my-rating = Mon classement
rules-goal = <b>YINSH</b> se joue à deux. Forme des alignements de cinq marqueurs de ta couleur. Chaque alignement te rapporte un de tes anneaux : le premier à retirer <b>trois anneaux</b> gagne.
rules-goal-blitz = <b>YINSH</b> se joue à deux. Forme un alignement de cinq marqueurs de ta couleur. Il te rapporte un de tes anneaux : le premier à retirer <b>un anneau</b> gagne.
rules-place = <b>Placer.</b> Les Blancs commencent. À tour de rôle, chacun place ses cinq <b>anneaux</b> sur les intersections libres de son choix.
rules-move = <b>Déplacer.</b> Ensuite, à chaque coup, tu déplaces un de tes anneaux le long d’une ligne. Il laisse un <b>marqueur</b> de ta couleur là où il était. L’anneau glisse sur les intersections libres. Il peut sauter des marqueurs, et s’arrête alors sur la première intersection libre derrière eux. Il ne passe jamais par-dessus un anneau.
rules-flip = <b>Retourner.</b> Tous les marqueurs sautés se retournent : le blanc devient noir, le noir devient blanc. Le marqueur que tu viens de poser ne se retourne pas.
rules-row = <b>Aligner.</b> Cinq marqueurs de ta couleur alignés quittent le plateau, avec un de tes anneaux. Cet anneau, c’est ton point.
rules-rows = <b>Alignements longs ou croisés.</b> Si plus de cinq marqueurs sont alignés, tu en choisis cinq. Si tu as plusieurs alignements, tu les retires un par un, chacun avec un anneau. Un alignement qui perd un marqueur au profit d’un autre n’en est plus un.
rules-gift = <b>Alignements de l’adversaire.</b> Si ton coup complète un alignement adverse, ton adversaire le retire, avec un anneau, au début de son tour. Puis il joue normalement.
rules-win = <b>Gagner.</b> Le premier à retirer <b>trois</b> anneaux gagne.
rules-win-blitz = <b>Gagner.</b> C’est du blitz : le premier à retirer <b>un</b> anneau gagne. Le premier alignement décide donc de la partie.
rules-end = <b>Plus de marqueurs.</b> Quand les 51 marqueurs sont sur le plateau, la partie s’arrête : celui qui a retiré le plus d’anneaux gagne, et en cas d’égalité la partie est nulle. Si ton coup complète le dernier alignement des deux joueurs, tu gagnes, car le tien est retiré en premier. Si aucun de tes anneaux ne peut bouger, tu passes.

picture-place = Des anneaux des deux joueurs sur des intersections de lignes
picture-move = Un anneau s’est déplacé le long d’une ligne et a laissé un marqueur
picture-flip = Un anneau a sauté trois marqueurs, qui se sont tous retournés
picture-row = Cinq marqueurs blancs alignés, et l’anneau blanc retiré avec eux
picture-rows = Deux alignements de marqueurs blancs qui se croisent
picture-gift = Un anneau noir a sauté un marqueur et complété un alignement de marqueurs blancs
picture-win = Trois anneaux blancs
picture-end = Deux anneaux blancs et un noir

rules-watch = Deux moteurs s’affrontent, tu regardes.
rules-you-are = Tu joues les { $sideName }.
rules-both = Tu joues les deux camps.
rules-click = Choisis un anneau pour voir où il peut aller, puis un des repères. La ligne en gras dit toujours quoi faire ensuite.

## The tab Analysis

engine = Moteur
line-count = Variantes
threat = Menace
openings = Ouvertures
analysis-off = Active le moteur pour voir son évaluation, ses meilleures variantes et des flèches sur le plateau.
analysis-locked = Le moteur, les menaces, les ouvertures et le bilan sont bloqués jusqu’à la fin de cette partie. Les spectateurs y ont accès.
engine-choice =
    .aria-label = Moteurs d’analyse
engine-options = Options du moteur
option-threads = Threads
option-hash = Mémoire (MiB)
game-over = La partie est terminée.
thinks-own-turn = Réfléchit à son propre coup.
engine-busy = Occupé
engine-thinking = Réfléchit…
engine-done = terminé
engine-taken = { $engine } est utilisé ailleurs
depth = profondeur { $depth }
nodes = { $count } nœuds
nodes-per-second = { $count }/s
line-number = Variante { $number }
whole-line = Voir toute la variante
or-turns = ou { $turns }
threat-search = Recherche d’une menace…
threat-none = Aucune menace.
threat-found = Menace des { $sideName } : { $turn }.
line-only-shown = La partie est en cours : la variante est seulement affichée. Mets la partie en pause pour l’essayer.

## Scores

score-label = Évaluation { $score }. { $words }
no-score-yet = Pas encore d’évaluation
wins-in = { $count ->
    [one] Les { $sideName } gagnent en { $count } coup
   *[other] Les { $sideName } gagnent en { $count } coups
  }
white-chances = Chances des Blancs : { $share }
graph-label = Chances des Blancs au fil de la partie
graph-start = Début
graph-turn = Coup { $number }, { $turn }
graph-chances = { $share } pour les Blancs ({ $score })
graph-no-score = pas d’évaluation
graph-lost = perd { $share }
label-inaccuracy = imprécision
label-mistake = erreur
label-blunder = gaffe
analysis-time = Temps par position
scores-are-whites = Évaluations et chances sont celles des Blancs : au-dessus de zéro, et de { $half }, les Blancs ont l’avantage.

## The tab Turns

turn-list =
    .aria-label = Coups de la partie
no-turn-yet = Aucun coup pour l’instant.
variation-from = Variante à partir du coup { $number }
turn-lost = perd { $share }
row-missed = alignement manqué
row-missed-title = Un alignement était possible ici
turns-deleted = La variante à partir du coup { $number } a été supprimée.
not-a-turn = « { $text } » n’est pas un coup. Un coup s’écrit par exemple f6, e4-e8 ou e4-e8;xe4-e8f6.
not-possible-now = { $text } n’est pas possible maintenant.
promote = En faire la variante principale
delete-turns = Supprimer à partir d’ici
turn-box = Coup
enter-turn = Jouer
note = Note sur ce coup

## The dialog for a new game

new-who = Joueurs
new-engine = Toi contre un moteur
new-people = Deux personnes
new-engines = Deux moteurs
new-link = Un ami, par lien
new-link-how = Après chacun de tes coups, tu envoies un lien à ton ami. Pas besoin de serveur, et vous avez tous les deux tout votre temps.
new-room = Un ami, en direct
new-room-how = Tu envoies un seul lien à ton ami. Ensuite, vous voyez tous les deux chaque coup aussitôt, sur deux appareils.
your-name = Ton nom
new-side = Tu joues
new-against = Adversaire
engine-of = Moteur des { $sideName }
level-of = Niveau des { $sideName }
level-choice = { $level } ({ $elo })
level-elo = Elo { $elo } ; jouer au hasard vaut 0.
side-white-first = Blancs, commencent
side-black = Noirs
side-random = Au hasard
new-rules = Règles
rules-standard = Standard : trois anneaux pour gagner
rules-blitz = Blitz : un anneau pour gagner
clock = Pendule
clock-none = Aucune
clock-choice = { $minutes } min + { $seconds } s
new-here = Commencer à la position du plateau
match-of-engines = Match de moteurs…
cancel = Annuler
new-start = Jouer

## Durations

seconds = { $count } s
minutes = { $count } min
no-limit = Sans limite

## Notices above the board, and their buttons

close = Fermer
undo = Annuler
try-again = Réessayer
reload = Recharger la page
trying-again = { $what } Nouvelle tentative…
lost-server = La connexion au serveur du plateau est perdue.
lost-program = Le programme du plateau s’est arrêté.
too-many-boards = Trop de plateaux sont ouverts. Ferme un autre onglet.
too-many-boards-share = Trop de plateaux sont ouverts depuis ton adresse. Ferme un autre onglet.
too-many-engines = Trop de moteurs sont en marche. Ferme un autre onglet.
too-many-engines-share = Trop de moteurs sont en marche pour ton adresse. Ferme un autre onglet.
too-many-requests = Trop de demandes sont en attente. Réessaie plus tard.
program-fails = Le programme du plateau ne fonctionne pas dans ce navigateur ({ $why }).
worker-missing = impossible de charger son worker
downloading = Téléchargement du programme du plateau…
download = Télécharger
download-interrupted = Téléchargement interrompu. Il reprendra au retour du réseau.
too-large = le message est trop gros pour le plateau
too-large-of = le message dépasse { $most } KiB
engine-restarted = { $engine } a planté et a été relancé ({ $reason }).
engine-stopped = { $engine } s’est arrêté : { $reason }
engine-not-started = Impossible de lancer { $engine } : { $reason }
restart-engine = Relancer { $engine }
new-version = Une nouvelle version du plateau est disponible.
load-version = La charger
open-elsewhere = Cette partie est ouverte dans un autre onglet.
open-copy = Ouvrir une copie
continued-as-copy = Un autre onglet a modifié cette partie. Elle continue ici en tant que copie.
nothing-stored = Ce navigateur bloque les données de site, donc rien n’est enregistré : parties et paramètres ne durent que jusqu’à ce que tu fermes ou recharges cet onglet.
link-damaged = Ce lien est abîmé. Copie-le encore une fois, en entier.
game-not-stored = Impossible d’enregistrer cette partie pour l’instant : { $reason }. Elle ne risque rien tant que cet onglet reste ouvert.
storage-full = le stockage du navigateur est plein
storage-blocked = le navigateur bloque les données de site
storage-damaged = la base de données du navigateur est endommagée
not-allowed = le navigateur ne le permet pas
error-other = erreur inattendue ({ $error })
save-as-file = Enregistrer dans un fichier
repair = Réparer la base de données
repaired = { $count ->
    [0] La base de données a été réparée. Aucune partie n’a pu être conservée.
    [one] La base de données a été réparée. Une partie a été conservée.
   *[other] La base de données a été réparée. { $count } parties ont été conservées.
  }
repaired-lost = { $count ->
    [one] { $count } partie était illisible.
   *[other] { $count } parties étaient illisibles.
  }
not-repaired = Impossible de réparer la base de données. Enregistre cette partie dans un fichier, puis supprime les données de ce site dans les paramètres du navigateur.
part-not-opened = { $part } : ouverture impossible, { $reason }.
part-not-loaded = { $part } : chargement impossible, { $reason }.
no-connection = il n’y a pas de connexion
other-version = le plateau a été mis à jour
bad-answer = le serveur a répondu { $status }
bad-type = le serveur envoie { $file } comme { $type }, donc le navigateur ne l’exécute pas
part-tutorial = Le tutoriel
part-watch = La barre du spectateur
part-review = Le bilan
part-pictures = Les images des règles
part-sound = Le son
part-settings = Les paramètres
part-games = La liste des parties
part-image = La fenêtre des images
part-worth = La valeur des destinations
part-explorer = L’explorateur d’ouvertures
part-editor = L’éditeur de position
part-coach = Le coach
part-rating = Ton classement
part-strategy = Les leçons de stratégie
part-puzzles = Les problèmes
part-rush = La course aux problèmes
part-challenge = Le défi
part-moments = Tes trois moments
part-due = Les moments à revoir
part-reviews = Le bilan de plusieurs parties
part-match = Le match de moteurs
part-offers = Les propositions d’après-partie
part-remote = La partie à distance
part-help = L’aide

## What is wrong with a position or a turn

fault-at = { $place } : { $reason }
place-line = ligne { $number }
place-turn = coup { $number }
place-packet = paquet { $packet }, notification { $number }
wrong-empty = le texte est vide
wrong-no-game = le texte ne contient aucune partie
wrong-too-long = le texte est trop long
wrong-field-count = une position a trois champs (plateau, camp et score), pas { $count }
wrong-column-count = le plateau a { $count } colonnes au lieu de { $wanted }
wrong-column-sign = la colonne { $column } contient « { $sign } » ; seuls W, B, w, b et des nombres sont permis
wrong-column-length = la colonne { $column } doit avoir { $wanted } intersections
wrong-bad-side = le camp au trait est w ou b
wrong-bad-score = un score se compose des anneaux retirés par les Blancs, d’un tiret et de ceux des Noirs, par exemple 0-0
wrong-many-markers = { $count } marqueurs sur le plateau ; le jeu en a { $most }
wrong-many-turns = plus de { $most } coups
wrong-waiting-row = le camp qui vient de jouer n’a pas retiré l’alignement { $row }
wrong-bad-removed = la partie finit à { $most } anneaux retirés ; ce score est impossible
wrong-many-rings = un camp a { $count } anneaux, dont { $removed } retirés ; la limite est { $most }
wrong-early-pieces = tant que tous les anneaux ne sont pas placés, il n’y a ni marqueurs ni anneaux retirés
wrong-early-side = avec ces anneaux placés, ce n’est pas à ce camp de jouer
wrong-not-a-turn = « { $part } » ne fait pas partie d’un coup ; écris f6, e4-e10, xb3-b7xb2 ou pass
wrong-game-over = la partie est finie avant ce coup
wrong-row-left = l’alignement { $row } doit d’abord être retiré
wrong-move-missing = le déplacement d’un anneau manque
wrong-no-row = il n’y a pas d’alignement { $row } à retirer
wrong-no-ring = le camp au trait n’a pas d’anneau en { $point }
wrong-cannot-pass = passer est impossible : un anneau peut bouger
wrong-all-placed = tous les anneaux sont placés : déplace un anneau
wrong-not-vacant = { $point } n’est pas libre
wrong-not-placed = tous les anneaux ne sont pas placés : place un anneau
wrong-cannot-move = l’anneau en { $from } ne peut pas aller en { $to }
wrong-bad-rules = les règles sont standard ou blitz
wrong-bad-command = cette commande n’indique pas de position
wrong-bad-point = « { $point } » n’est pas une intersection du plateau
wrong-damaged = les données propres à Gyre dans ce fichier, comme les variantes et les notes, sont endommagées
wrong-other-side = { $side ->
    [b] c’est aux Noirs de jouer
   *[w] c’est aux Blancs de jouer
  }
wrong-not-legal = ce n’est pas permis
wrong-bad-tag = une étiquette doit avoir la forme [Nom "valeur"]
wrong-duplicate-tag = cette étiquette figure deux fois
wrong-tag-inside = une étiquette suit une partie sans résultat ; termine la partie par un résultat comme 3-1, ou par *
wrong-no-result = la partie finit sans résultat ; écris-en un comme 3-1, ou * si elle n’est pas terminée
wrong-bad-result = « { $text } » n’est pas un résultat ; écris-en un comme 3-1, ou *
wrong-wrong-result = ce résultat ne correspond pas aux coups
wrong-other-result = ce résultat diffère de celui de l’étiquette Result
wrong-turn-number = le numéro de coup attendu est { $number }
wrong-variation = une partie sous cette forme n’a pas de variantes ; enlève les parenthèses et leur contenu, ou utilise SGF
wrong-open-comment = il manque l’accolade fermante de ce commentaire
wrong-not-text = le texte contient des caractères non valides
wrong-other-game = c’est une partie de { $game }, pas de YINSH
wrong-no-setup = la propriété SU, qui nomme le jeu, manque
wrong-no-parenthesis = une partie doit commencer par « ( », pas par « { $found } »
wrong-cut-file = le fichier finit au milieu d’une partie
wrong-too-deep = plus de { $most } parenthèses sont ouvertes
wrong-no-property = une propriété était attendue au lieu de « { $found } »
wrong-no-value = la propriété { $name } n’a pas de valeur
wrong-open-bracket = ce crochet n’est jamais fermé
wrong-not-a-log = ce n’est pas un journal complet d’une partie de Board Game Arena
wrong-no-moves = le journal ne contient aucun coup de YINSH
wrong-unknown-move = coup inconnu « { $move } »
wrong-not-played = il n’y a aucun coup à reprendre
wrong-not-first = le premier coup doit être joué par { $name }, qui a les Blancs
wrong-marker-elsewhere = le marqueur est en { $marker }, mais l’anneau part de { $ring }
wrong-not-a-row = de { $from } à { $to }, ce n’est pas un alignement de cinq
wrong-other-winner = le journal donne un autre gagnant que les coups
wrong-moves-missing = selon le journal, la partie est finie, mais il manque des coups
