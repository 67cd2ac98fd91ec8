# Les mots en français des parties de la page chargées à la demande. Explications : fichiers anglais.

## The dialog for the settings

settings-title = Paramètres
done = Terminé
setting-language = Langue
setting-auto = Comme le système
setting-board = Plateau
board-blue = Gris-bleu
board-wood = Bois
board-slate = Ardoise sombre
setting-theme = Couleurs de la page
theme-light = Clair
theme-dark = Sombre
setting-motion = Animations
motion-on = Toujours
motion-off = Jamais
setting-confirm = Confirmer les coups
confirm-people = Dans les parties avec des personnes
confirm-always = Toujours
setting-side = Mon camp
side-bottom = En bas
side-white-bottom = Blancs en bas
setting-coach = Coach, hors parties classées
setting-off = Désactivé
coach-on = Demande avant une gaffe
setting-sound = Son
sound-on = Activé

## Games against a person at another browser

remote-bar =
    .aria-label = Partie à distance
remote-share = Envoyer le lien…
share-kinds = À quoi sert le lien
share-to-play = Pour jouer
share-to-watch = Pour regarder
share-link =
    .aria-label = Lien
share-send = Partager…
copy-link = Copier le lien
share-qr = QR code
share-code = QR code du lien
copy-text = Copier
text-copied = Copié.
text-copy-it = Copie le texte sélectionné.
resign-question = Abandonner cette partie ?
your-opponent = ton adversaire
link-invite = Inviter un ami
link-invite-how = Envoie ce lien. Ton ami l’ouvre dans n’importe quel navigateur, joue le premier coup et te renvoie un lien.
link-send = Envoyer ton coup à { $who }
link-send-how = Le lien contient la partie avec ton coup. Quand tu en reçois un en retour, ouvre-le dans ce navigateur.
link-your-turn = À toi de jouer. Envoie ensuite le lien à { $who }.
link-their-turn = On attend un lien : c’est à { $who } de jouer.
link-over = La partie est terminée.
link-own = C’est le lien de ton propre coup. Envoie-le à ton adversaire ; c’est à lui de jouer.
link-older = Ce lien est plus ancien que ta partie. Le plateau montre le dernier coup.
link-other = Ce lien ne continue pas ta partie : ses coups sont différents. Ta partie reste inchangée.
link-open-apart = L’ouvrir à part
room-entering = Entrée dans le salon…
room-invite = Inviter un ami
room-invite-how = La première personne qui ouvre le lien joue contre toi. Garde cette page ouverte, ou reviens-y plus tard : aucun coup ne se perd.
room-watch = Inviter des spectateurs
room-watch-how = Toute personne qui ouvre ce lien peut regarder la partie.
room-off = Ce plateau n’a pas de salons. Le serveur doit être lancé avec -rooms FILE.
room-gone = Ce salon n’existe pas. Il a fermé, ou le lien est incomplet.
room-full = Trop de salons sont ouverts. Réessaie plus tard.
room-crowded = Trop de personnes regardent cette partie.
room-seat = Ce lien ne donne pas de place dans le salon. Demande un lien pour jouer ou pour regarder.
room-over = La partie est terminée.
room-moved = La partie a continué entre-temps. Le plateau montre le dernier coup.
room-paused = Le serveur ne peut pas enregistrer de coups en ce moment. Toutes les pendules sont arrêtées et aucun coup n’est perdu.
room-share = Trop de salles ont été ouvertes depuis ton adresse. Réessaie plus tard.
room-wait = En attente : ton adversaire doit ouvrir le lien.
room-here = { $who } est là.
room-away = { $who } n’est pas en ligne.
room-spectator = Tu regardes la partie.
room-watching = { $count ->
    [one] { $count } spectateur.
   *[other] { $count } spectateurs.
  }
room-rematch = Une revanche, en changeant de camp ?

## Offers after a game, each made once

offer-sound = Tu veux entendre les pièces ?
offer-sound-yes = Activer le son
offer-install = Installe le plateau sur cet appareil. Il fonctionnera hors ligne, dans sa propre fenêtre.
offer-install-yes = Installer

## The dialog for setting up a position

editor-title = Composer une position
editor-tools =
    .aria-label = Ce qu’un clic pose sur une intersection
editor-board =
    .aria-label = Plateau à composer
tool-white-ring = Anneau blanc
tool-black-ring = Anneau noir
tool-white-marker = Marqueur blanc
tool-black-marker = Marqueur noir
tool-erase = Effacer
editor-side = Au tour des
editor-standard = standard
editor-blitz = blitz
editor-won-white = Anneaux gagnés par les Blancs
editor-won-black = par les Noirs
editor-text = En texte
editor-empty = Vider le plateau
editor-shown = Position actuelle
editor-copy = Copier le texte
analyze = Analyser
editor-play = Jouer à partir d’ici…
editor-playable = Jouable. { $prompt }
editor-over = La partie est terminée. { $prompt }
editor-problem = Injouable : { $problem }.
position-copied = Position copiée.
position-below = Copie la position dans le champ ci-dessous.
link-copied = Lien copié.
link-below = Copie le lien dans le champ ci-dessous.
not-now = Impossible pour l’instant : { $reason }

## The tutorial

tutorial-board =
    .aria-label = Plateau du tutoriel
lessons =
    .aria-label = Leçons
lesson-number = { $number }. { $title }
lesson-of = Leçon { $number } sur { $count }
lesson-next = Suivant
lesson-hint = Indice
lessons-done = Maintenant, tu sais jouer.
task-place = Placer
    .say = Les Blancs commencent. Chaque joueur place cinq anneaux là où des lignes se croisent. Places-en un où tu veux.
    .hint = Le centre est un bon endroit : c’est là que se croisent le plus de lignes.
    .done = Voilà ton premier anneau.
task-move = Déplacer
    .say = Ensuite, les anneaux se déplacent. Choisis un de tes anneaux blancs, puis une intersection le long d’une ligne.
    .hint = Un anneau glisse sur les intersections libres, mais jamais par-dessus un autre anneau.
    .done = Ton anneau a laissé un marqueur là où il était. C’est le cas à chaque déplacement.
task-flip = Sauter et retourner
    .say = Un anneau peut sauter des marqueurs. Il s’arrête sur la première intersection libre derrière eux, et tous se retournent. Retourne les deux marqueurs noirs en un seul déplacement.
    .hint = L’anneau en d4 est dans leur ligne.
    .done = Les deux marqueurs sont devenus blancs. Des marqueurs blancs seraient devenus noirs. Le marqueur que tu poses ne se retourne pas.
    .again = Tu as retourné moins de deux marqueurs. Saute les deux d’un coup.
task-row = Former un alignement
    .say = Ton but est un alignement : cinq marqueurs de ta couleur. Tu en as quatre, et ton anneau est sur la cinquième intersection.
    .hint = Déplace l’anneau en h8 : il laisse le cinquième marqueur. Clique ensuite sur l’alignement, puis sur un anneau.
    .done = Un alignement ! Il quitte le plateau avec un de tes anneaux. Cet anneau, c’est ton point.
    .again = Pas encore d’alignement. Quel anneau peut laisser le cinquième marqueur ?
task-pay = Retourner pour aligner
    .say = Un saut peut aussi compléter un alignement. Un alignement te coûte un anneau de ton choix, et avec moins d’anneaux tu as moins de coups possibles. Donne un anneau dont tu n’as pas besoin.
    .hint = L’anneau en d4 peut sauter e5. Celui en c6 n’a pas grand-chose à faire.
    .done = Le marqueur retourné a complété l’alignement. L’anneau est à la fois ton prix à payer et ton point.
    .again = Pas encore d’alignement. Un des cinq marqueurs est noir : saute-le.
task-stop = Empêcher un alignement
    .say = Les Noirs ont quatre marqueurs alignés et un anneau qui peut laisser le cinquième. Empêche cet alignement.
    .hint = Saute un des quatre marqueurs pour le retourner. Ton anneau en h9 est dans la ligne de f7.
    .done = Un marqueur retourné, et la menace a disparu.
    .again = Les Noirs peuvent encore former un alignement avec l’anneau en f8. Retourne un des quatre marqueurs.
task-gift = Cadeau de l’adversaire
    .say = Le coup des Noirs a complété un alignement de tes marqueurs. Il est à toi : retire-le avec un anneau au début de ton tour. Puis joue normalement.
    .hint = Clique sur l’alignement, puis sur un anneau dont tu n’as pas besoin. Déplace ensuite n’importe quel anneau.
    .done = Tu as retiré l’alignement avant de jouer. Attention à ce que tes propres coups offrent à l’adversaire.
task-rows = Alignements longs et croisés
    .say = Six marqueurs alignés, et un autre alignement qui les croise. Tu retires un alignement à la fois et tu choisis ses cinq marqueurs. Choisis pour que les deux comptent.
    .hint = Les alignements se croisent en f3. Laisse ce marqueur : retire d’abord f4 à f8, puis d1 à h5.
    .done = Deux alignements en un coup : deux anneaux. De toute façon, un marqueur du long alignement serait resté.
    .again = Le premier alignement a pris le marqueur en f3, dont l’autre avait besoin. Laisse-le sur le plateau.
task-win = Gagner
    .say = Le troisième anneau que tu retires te donne la victoire. Tu en as retiré deux. Forme encore un alignement.
    .hint = Un des cinq marqueurs est noir. L’anneau en g8 peut le sauter.
    .done = Trois anneaux : c’est gagné !
    .again = Pas encore. Quel saut donne cinq marqueurs blancs ?

## The help dialog, below the rules

help-mouse-title = Souris et écran tactile
help-mouse = Clique sur un anneau, puis sur un des repères, ou fais-y glisser l’anneau. Pour retirer un alignement, clique sur sa poignée, ou sur ses marqueurs jusqu’à ce qu’il n’en reste qu’un possible ; clique alors sur cet alignement ou sur <b>Retirer</b>. Le bouton droit de la souris trace des flèches. Un clic pendant une animation la saute.
help-keys-title = Clavier
key-up-down = sur le plateau : le long de la lettre ; ailleurs : autres variantes
key-left-right = sur le plateau : le long du chiffre ; ailleurs : coup précédent ou suivant
key-shift = sur le plateau : le long de la troisième ligne
key-enter = choisir l’intersection, ou retirer l’alignement choisi
key-n-p = sur le plateau : choix suivant ou précédent ; ailleurs : erreur suivante ou précédente d’un bilan
key-escape = annuler une étape
key-m-l = lire à voix haute les choix ou le dernier coup
key-comma = coup précédent ou suivant, où que tu sois
key-home = première ou dernière position
key-g-i = aller au plateau ou au champ des coups
key-u-r = annuler ou revoir le dernier coup
key-h = un indice dans une partie contre un moteur ; encore une fois pour voir le coup
key-f = tourner le plateau
key-a-t = analyse, menace
key-d = commencer ou finir une flèche sur l’intersection
key-help = cette aide
help-text-title = Les coups en texte
help-text = <i>f6</i> place un anneau, <i>e4-e10</i> en déplace un, <i>xb3-b7xb2</i> retire l’alignement de b3 à b7 et l’anneau en b2. Un point-virgule sépare les parties d’un coup.

## What the targets of a picked ring lose

worth-about = Le nombre sur une destination indique le pourcentage de tes chances de gain que coûte ce coup ; × veut dire toutes. Un cercle en pointillés est une première estimation.
worth-nothing = ne perd rien
worth-loses = perd { $share }
worth-short = après un bref calcul

## The dialog for pictures of the board

image-title = Image
image-preview =
    .alt = Aperçu de l’image
image-coordinates = Coordonnées
image-last = Dernier coup
image-size = Taille
pixels = { $count } pixels
image-delay = Temps par coup dans le GIF
image-progress =
    .aria-label = Progression du GIF
save-svg = Enregistrer en SVG
save-png = Enregistrer en PNG
save-gif = Enregistrer la partie en GIF
image-too-large = le navigateur ne peut pas créer une image de cette taille
image-canceled = Annulé. Rien n’a été enregistré.
image-saved = Enregistré sous { $name } ({ $size }).

## The bar above the tabs while two engines play

watch =
    .aria-label = Regarder
watch-speed = Vitesse
speed-slow = lente
speed-normal = normale
speed-fast = rapide
watch-next = Enchaîner les parties automatiquement
watch-score = Score { $first }–{ $second }

## The opening explorer

explorer-games = Parties
explorer-engine = du moteur
explorer-mine = enregistrées ici
explorer-turn = Coup
explorer-count = Parties
explorer-points = Points des Blancs
explorer-score = Éval.
explorer-none = Aucune partie ne continue à partir d’ici.
explorer-none-mine = Aucune de tes parties terminées ne continue à partir d’ici.
explorer-back = { $number ->
    [0] Revenir au début
   *[other] Revenir au coup { $number }
  }
explorer-symmetric = Les coups symétriques sont comptés ensemble.
explorer-most-played = Les { $shown } coups les plus joués sur { $count }.
explorer-uncounted = { $count ->
    [one] { $count } partie n’a pas pu être comptée.
   *[other] { $count } parties n’ont pas pu être comptées.
  }
explorer-alike = { $count ->
    [one] et { $count } symétrique
   *[other] et { $count } symétriques
  }
explorer-counting = { $number } parties comptées sur { $count }…
explorer-fails = Le tableau n’est pas disponible : { $reason }
explorer-running = La partie est en cours. Mets-la en pause pour essayer un coup.

## The coach

coach = Coach
hint-search = Recherche d’un indice…
hint-show-turn = Montrer le coup
look-at-point = Regarde { $point }.
look-at-ring = Regarde l’anneau en { $point }.
look-at-row = Regarde l’alignement de { $first } à { $last }.
look-at-paying-ring = Regarde l’anneau en { $point }. Tu peux le retirer pour l’alignement.
look-at-pass = Aucun anneau ne peut bouger.
hint-turn = Le moteur suggère : { $turn }.
hint-back = Annule d’abord les étapes de ton coup.
engine-cannot-say = Le moteur ne peut pas répondre pour l’instant.
coach-looks = Le coach regarde { $turn }…
coach-skip = Jouer tout de suite
coach-blunder = { $turn } est une gaffe : tes chances de gagner passent de { $before } à { $after }.
coach-reply = La flèche bleue est la meilleure réponse, { $turn }.
coach-asks = Jouer quand même ?
coach-play = Jouer quand même

## What is good or bad about a turn

row-ends = de { $first } à { $last }
fact-wins = Il gagne la partie.
fact-loses-next = Les { $opponent } peuvent alors gagner avec { $turn }.
fact-takes-rows = { $count ->
    [one] Il retire l’alignement { $rows }.
   *[other] Il retire les alignements { $rows }.
  }
fact-gives-rows = { $count ->
    [one] Il complète l’alignement { $rows } pour les { $opponent }.
   *[other] Il complète les alignements { $rows } pour les { $opponent }.
  }
fact-opens-row = Il permet aux { $opponent } de former un alignement avec { $turn }.
fact-leaves-row = Les { $opponent } pouvaient former un alignement, et le peuvent toujours, avec { $turn }.
fact-stops-rows = Il empêche les { $opponent } de former un alignement.
fact-misses-row = { $had ->
    [0] { $left ->
        [one] Les { $sideName } pouvaient retirer un alignement avec { $turn }.
       *[other] Les { $sideName } pouvaient retirer { $left } alignements avec { $turn }.
      }
   *[other] Les { $sideName } pouvaient retirer { $left } alignements au lieu de { $had } avec { $turn }.
  }
fact-pays-other = { $count ->
    [one] Pour le même alignement, les { $sideName } pouvaient retirer l’anneau en { $rings }.
   *[other] Pour les mêmes alignements, les { $sideName } pouvaient retirer les anneaux en { $rings }.
  }
fact-threatens = Il menace de former un alignement avec { $turn }.
fact-few-markers = { $left ->
    [0] Il ne reste plus de marqueurs : celui qui a retiré le plus d’anneaux gagne.
    [one] Il reste un marqueur : ensuite, celui qui a retiré le plus d’anneaux gagne.
   *[other] Il reste { $left } marqueurs : ensuite, celui qui a retiré le plus d’anneaux gagne.
  }
fours-new = { $left ->
    [one] Il aligne quatre marqueurs sur cinq à un endroit.
   *[other] Il aligne quatre marqueurs sur cinq à { $left } endroits.
  }
fours-lost = { $had ->
    [one] Les { $sideName } avaient quatre marqueurs sur cinq à un endroit, et n’en ont plus nulle part.
   *[other] Les { $sideName } avaient quatre marqueurs sur cinq à { $had } endroits, et n’en ont plus nulle part.
  }
fours-change = { $had ->
    [one] Les { $sideName } avaient quatre marqueurs sur cinq à un endroit, contre { $left } maintenant.
   *[other] Les { $sideName } avaient quatre marqueurs sur cinq à { $had } endroits, contre { $left } maintenant.
  }

## The tab Review

review-progress =
    .aria-label = Progression du bilan
stop = Arrêter
review-puzzles = Les erreurs en problèmes
review-depth = Profondeur
depth-quick = rapide
depth-normal = normale
depth-thorough = approfondie
review-several = Plusieurs parties…
review-begun = Le bilan a commencé.
review-done = Le bilan est prêt. Précision : Blancs { $white }, Noirs { $black }.
review-later = Disponible après la partie, ou quand elle est en pause
review-again = Refaire le bilan
accuracy = Précision
mean-lost = Perte
mean-lost-long = chances perdues par coup
blunders = gaffes
mistakes = erreurs
inaccuracies = imprécisions
missed-rows = Manqués
missed-rows-long = alignements manqués
turning-points = Tournants
turning-point = { $number }. { $sideName } { $turn } : { $before } → { $after } pour les Blancs
finding-chances = { $sideName } de { $before } à { $after }
better-is = Mieux : { $turn }
next-mistake = Erreur suivante ({ $count })
first-mistake = Première erreur
review-more = Plus
accuracy-of = Précision : { $players }
label-fine = bon coup
label-best = le choix du moteur
finding-row-missed = Un alignement était possible.
show-better = Montrer
add-better-line = Ajouter la meilleure variante
note-better = Meilleur.
note-better-chances = Meilleur : { $share } pour les Blancs.
retry = Réessayer
retry-question = Trouve un meilleur coup que { $turn } pour les { $sideName }.
retry-thinking = Vérification…
retry-best = Bravo ! C’est le coup du bilan.
retry-named = Le coup du bilan est { $turn }.
retry-good = Bien.
retry-better = Mieux.
retry-no-better = Pas nettement mieux.
retry-compared = { $turn } perd { $lost } ; { $mistake } perdait { $before }.
retry-another = Il y a encore mieux.
retry-other = Essayer un autre coup

## The strategy lessons

strategy-close = Fermer les leçons
strategy-task = Aux { $sideName } de jouer. Exercice { $number } sur { $count }.
strategy-tempo = Le tempo
    .say = Une menace dicte à ton adversaire son prochain coup. Un coup qui empêche un alignement et en menace un autre gagne un tempo. Cherche le coup d’anneau qui fait les deux.
strategy-mobility = La mobilité
    .say = Un joueur qui a peu de coups peut difficilement former ou empêcher un alignement. Un anneau ne saute jamais un anneau : les tiens peuvent donc bloquer des lignes. Dans chaque exercice, aucun autre coup ne laisse moins de coups à ton adversaire.
strategy-saving = Économiser ses anneaux
    .say = Chaque alignement te coûte un anneau, et ceux qui restent doivent former le suivant. Cède un anneau peu utile et garde ceux qui sont près de tes marqueurs. Le bon coup forme un alignement, mais un seul anneau est le bon prix.
strategy-double = Les doubles menaces
    .say = Une menace se pare ; deux, souvent pas. Une double menace, ce sont deux alignements possibles, ou un seul que tu peux compléter de plusieurs façons. Trouve le coup après lequel aucune réponse n’empêche ton alignement.
strategy-breaking = Casser un alignement
    .say = Un alignement demande cinq marqueurs d’une couleur : un seul marqueur retourné le casse. Un saut retourne tous les marqueurs sur son chemin, les tiens aussi. Trouve le saut après lequel ton adversaire ne peut pas former d’alignement au coup suivant.
strategy-forcing = Forcer l’adversaire à former ton alignement
    .say = Le coup de ton adversaire peut compléter un alignement de ta couleur. Tu retires alors l’alignement et un anneau avant de jouer ton coup. Trouve le coup après lequel la meilleure réponse forme ton alignement.
strategy-timing = Quand prendre ton anneau
    .say = Un alignement retire un de tes anneaux du plateau, et tu as ensuite moins de coups. Si ton adversaire menace aussi un alignement, l’empêcher peut valoir plus. Dans chaque exercice, tu pourrais former un alignement tout de suite, mais un autre coup est meilleur.
strategy-last = Le dernier anneau
    .say = Après deux anneaux retirés, l’alignement suivant gagne. Ton adversaire doit répondre à chaque menace : c’est toi qui mènes le jeu. Trouve les menaces qui forcent le dernier anneau.
strategy-placing = Placer les anneaux
    .say = Place tes anneaux là où ils peuvent bouger. Un anneau près du centre atteint plus d’intersections qu’un anneau au bord. Trouve la meilleure intersection pour le prochain anneau.
strategy-endgame = Peu de marqueurs en réserve
    .say = Chaque coup d’anneau prend un marqueur dans la réserve, et la partie finit quand elle est vide. Celui qui a retiré le plus d’anneaux gagne alors. Compte les marqueurs : une menace qui vient trop tard ne vaut rien.

## Puzzles, in the tab Learn

puzzle-next = Problème suivant
puzzle-show = Solution
puzzle-theme = Thème
puzzle-rules = Seuls les nouveaux problèmes changent ton classement, pas les erreurs de tes parties. Un mauvais coup, un indice ou la solution, et le problème compte comme non résolu.
theme-mixed = Mélange
theme-make-row = Former un alignement
theme-stop-row = Empêcher un alignement
theme-two-rows = Deux alignements
theme-break-and-make = Casser et former
theme-right-ring = Retirer le bon anneau
theme-win = Gain forcé
theme-opponents-row = Cadeau de l’adversaire
theme-threaten-row = Menacer d’un alignement
theme-own = Erreurs des parties enregistrées
puzzle-task = Aux { $sideName } de jouer. { $task }.
puzzle-task-rated = Aux { $sideName } de jouer. { $task }. Classement : { $rating }.
win-in = { $count ->
    [one] Gagner en { $count } coup
   *[other] Gagner en { $count } coups
  }
puzzle-find = Trouver le seul bon coup
puzzle-own = Aux { $sideName } de jouer. Trouve un meilleur coup que dans ta partie.
puzzle-own-from = Aux { $sideName } de jouer. Trouve un meilleur coup que dans { $game }.
puzzle-away = Une autre partie est sur le plateau.
puzzles-loading = Chargement des problèmes…
games-read-of = { $number } parties lues sur { $count }…
puzzle-no-mistakes = Pas encore d’erreurs. Joue une partie, fais-en le bilan, et reviens.
puzzle-games-fail = Impossible de lire les parties pour l’instant : { $reason }.
puzzle-hint-row = Retire d’abord l’alignement de { $first } à { $last }.
puzzle-hint-move = Déplace l’anneau en { $point }.
puzzle-hint-place = Place un anneau en { $point }.
puzzle-solution = Solution : { $turns }.
puzzle-right = Bravo !
puzzle-reply = La réponse…
puzzle-right-next = Bien joué. Et maintenant ?
puzzle-wins = C’est gagné !
puzzle-why = { $turn } : { $facts }
puzzle-wins-in = { $count ->
    [one] C’est gagné en { $count } coup.
   *[other] C’est gagné en { $count } coups.
  }
puzzle-other-ring = La solution était { $turn }, avec un autre anneau.
puzzle-as-good = { $turn } est tout aussi bon.
puzzle-played = { $turn } est le coup que tu as joué.
puzzle-wrong = { $turn } n’est pas la solution.
puzzle-slower = { $turn } gagne aussi, mais moins vite.
puzzle-loses = { $count ->
    [one] { $turn } perd : ton adversaire gagne alors en { $count } coup.
   *[other] { $turn } perd : ton adversaire gagne alors en { $count } coups.
  }
puzzle-not-it = { $turn } a l’air bon, mais ce n’est pas la solution.
puzzle-mistake = { $turn } est une erreur : tes chances de gagner passent de { $before } à { $after }.
day-share = Problème du jour de YINSH, { $date } : résolu
day-text = Ton résultat à partager
day-link-damaged = La date de ce lien est abîmée ou à venir. Voici le problème du jour.
puzzle-rating = Ton classement : { $rating }. Série : { $streak }, record : { $best }. Résolus : { $solved } sur { $count }.

## The moments in which a player lost most, in the tab Learn

moments-how = C’est ici que tu as perdu le plus. Trouve un meilleur coup.
moments-searching = Recherche des coups qui ont perdu le plus…
moments-none = Aucun de tes coups n’a perdu 5 % ou plus.
moments-later = Rien à revoir aujourd’hui. Le prochain moment revient le { $date }.
moments-never = Il n’y a rien à revoir.
moments-return = Les moments manqués reviennent après 1, 3 et 7 jours, dans l’onglet Apprendre.
moments-unreviewed = La partie n’a pas été analysée.
moments-next = Moment suivant
moments-list = Tous les moments
moment-found = Trouvé
moment-missed = Manqué

## The puzzle rush, in the tab Learn

rush-today = Course aux problèmes du jour
rush-of-date = Course aux problèmes du { $date }
rush-how = Résous autant de problèmes que possible en trois minutes. La troisième erreur termine la course. Chaque jour, tout le monde reçoit les mêmes problèmes, de plus en plus difficiles.
rush-begin = Commencer celle du jour
rush-begin-date = Commencer cette course
rush-practice = S’entraîner
rush-stop = Arrêter
rush-solved = { $count } résolus
rush-streak = Jours d’affilée : { $count }
rush-calendar = Problèmes résolus ces 14 derniers jours
rush-text = Le résultat à partager
rush-share = Course aux problèmes de YINSH, { $date } : { $count } résolus
rush-link-damaged = La date de ce lien est abîmée ou à venir. Voici la course du jour.

## Challenges by link, in the tab Learn

challenge-how = Tu joues contre un niveau à partir d’un placement des anneaux, puis tu envoies un lien. Ton ami joue à partir du même placement contre le même niveau, qui répond de la même façon aux mêmes coups. Ensuite vous voyez les deux parties côte à côte.
challenge-by = Un défi de { $name }
challenge-received = Un défi pour toi
challenge-invites = Joue les blancs contre { $level } à partir du même placement. Ensuite tu vois les deux parties côte à côte.
challenge-accept = Jouer
challenge-measuring = Mesure de la précision de ta partie…
challenge-both = Les parties côte à côte
challenge-result = Résultat
challenge-won = gagné { $mine }–{ $theirs }
challenge-lost = perdu { $mine }–{ $theirs }
challenge-drawn = nulle { $mine }–{ $theirs }
challenge-resigned = abandon
challenge-accuracy = Précision de { $level }
challenge-help = Avec aide
challenge-yes = oui
challenge-no = non
challenge-friend = Ton ami
challenge-see = { $name } : voir la partie
challenge-link = Le texte et le lien à envoyer
challenge-text = J’ai joué à YINSH contre { $level } : { $result }, précision { $accuracy }. Joue à partir du même placement :
challenge-answer = Ma partie contre { $level } : { $result }, précision { $accuracy }. Les deux parties côte à côte :
challenge-fault-long = Ce lien est plus long que ne peut l’être un défi. Demande-le à nouveau.
challenge-fault-cut = La fin de ce lien manque. Demande-le à nouveau, ou copie-le en entier.
challenge-fault-damaged = Ce lien a été modifié en route : sa somme de contrôle est fausse. Demande-le à nouveau.
challenge-fault-version = Ce lien vient d’une autre version de la page. Recharge la page et suis-le à nouveau.
challenge-fault-invalid = Ce lien n’est pas un défi.
challenge-fault-level = Cette page n’a pas de niveau « { $level } ».
challenge-fault-turns = Les coups de ce lien ne sont pas légaux : { $reason }

## The dialog My rating, and its line after a game

rating-date = Date
rating-against = Adversaire
rating-result = Résultat
rating-rating = Classement
rating-about = Une partie compte si elle est jouée avec les règles standard contre un niveau classé, du premier coup à la fin, et sans aide : ni indices, ni annulations de coup, ni pauses, ni analyse, ni ouvertures, ni coach. Les copies de parties ne comptent pas. Jouer au hasard correspond à un classement de 0. La marge après ± contient le vrai classement avec une probabilité de 95 %. Les résultats sont enregistrés dans ce navigateur et dans les sauvegardes.
rating-after = { $count ->
    [one] { $rating }, après { $count } partie
   *[other] { $rating }, après { $count } parties
  }
rating-none = Aucune partie n’a encore compté.
rating-now-counts = La partie en cours compte.
rating-not-now = La partie en cours ne compte pas : { $reason }.
rating-not = Non classée : { $reason }.
rating-changed = Ton classement : { $rating } ({ $change }).
rating-provisional = { $rating }, provisoire
rating-chart = { $count ->
    [one] Classement après { $count } partie : { $first } au début, { $last } maintenant
   *[other] Classement après { $count } parties : { $first } au début, { $last } maintenant
  }
game-won = gagnée
game-drawn = nulle
game-lost = perdue
game-winner = Les { $sideName } ont gagné
not-rated-help = tu as eu de l’aide ({ $help })
help-with-hints = indices
help-with-take-backs = annulations de coup
help-with-pauses = pauses
help-with-the-analysis = analyse
help-with-the-openings = ouvertures
help-with-the-coach = coach
help-with-a-copy = copie de la partie
not-rated-rules = le classement vaut pour les règles standard
not-rated-start = elle n’a pas commencé sur un plateau vide
not-rated-level = le niveau { $level } n’est pas classé
not-rated-unknown = { $engine } ne répond pas s’il peut jouer à un classement donné
not-rated-engine = { $engine } ne peut pas jouer à un classement donné
rating-not-stored = Impossible d’enregistrer le résultat pour ton classement pour l’instant ({ $reason }).

## The dialog for reviewing several games

reviews-title = Bilan de plusieurs parties
reviews-new = Sélectionner celles sans bilan
reviews-all = Toutes
reviews-none = Aucune
reviews-list =
    .aria-label = Parties à examiner
reviews-progress =
    .aria-label = Progression de tous les bilans
reviews-summary =
    .aria-label = Résumé par joueur
my-games = Mes parties
no-games-now = Impossible d’enregistrer ou de lire des parties pour l’instant : { $reason }
reviews-no-games = Il n’y a aucune partie avec des coups.
reviews-left-before = { $count ->
    [one] Il reste { $count } partie de la dernière fois.
   *[other] Il reste { $count } parties de la dernière fois.
  }
show-more-of = En voir { $more } de plus sur { $count }
reviews-open = Précision { $accuracy }. Ouvrir { $game }
reviews-start = { $count ->
    [one] Bilan de { $count } partie
   *[other] Bilan de { $count } parties
  }
reviews-begun = { $count ->
    [one] Bilan de { $count } partie en cours.
   *[other] Bilan de { $count } parties en cours.
  }
game-of = Partie { $number } sur { $count }.
may-be-closed = Tu peux fermer cette fenêtre ou masquer l’onglet.
reviews-done = { $count ->
    [one] Bilan terminé pour { $count } partie.
   *[other] Bilan terminé pour { $count } parties.
  }
reviews-left = { $count ->
    [one] Il reste { $count } partie. Clique sur Bilan pour continuer.
   *[other] Il reste { $count } parties. Clique sur Bilan pour continuer.
  }
reviews-failed = { $count ->
    [one] Bilan impossible pour { $count } partie : { $reasons }.
   *[other] Bilan impossible pour { $count } parties : { $reasons }.
  }
a-game = une partie
game-being-played = elle est en train d’être jouée
game-damaged = elle est endommagée
game-gone = elle n’existe plus
game-without-turns = elle n’a aucun coup
game-changed = elle a changé
game-open-elsewhere = elle est ouverte dans un autre onglet
reviews-elsewhere = Un autre onglet est en train de faire des bilans.
column-player = Joueur
column-games = Parties
column-accuracy = Précision
column-blunders = Gaffes
column-mistakes = Erreurs
column-missed-rows = Alignements manqués

## The dialog Games

games-kept = Enregistrées dans ce navigateur
games-this = Cette partie
games-open = Ouvrir
save-all = Tout enregistrer dans un fichier
back-up = Sauvegarder toutes les parties
games-review = Bilan de plusieurs…
save-record = Enregistrer la partie
save-sgf = Enregistrer en SGF
games-picture = Image…
copy-record = Copier la partie
copy-position = Copier la position
formats = Les fichiers de partie et SGF contiennent toute la partie : toutes les variantes, les notes, le bilan et les pendules. Un lien contient les coups d’une seule variante.
text-to-copy =
    .aria-label = Texte à copier
open-file = Ouvrir un fichier…
games-editor = Composer une position…
paste = Ou colle une position, des coups, une partie, un SGF de Boardspace ou un journal de Board Game Arena :
open-text = Ouvrir le texte
reading-progress =
    .aria-label = Progression de la lecture
record-copied = Partie copiée.
record-below = Copie la partie dans le champ ci-dessous.
saved-as = Enregistré sous { $name }.
games-read = { $count ->
    [one] { $count } partie lue
   *[other] { $count } parties lues
  }
games-read-except = { $count ->
    [one] { $count } partie lue. Erreurs :
   *[other] { $count } parties lues. Erreurs :
  }
and-more = { $count ->
    [one] et { $count } autre.
   *[other] et { $count } autres.
  }
games-none = Aucune partie pour l’instant.
list-open = ouverte
list-elsewhere = dans un autre onglet
show-more = En voir plus, sur { $count }
count-games = { $count ->
    [one] { $count } partie
   *[other] { $count } parties
  }
games-of = { $count ->
    [one] { $count } partie de « { $name } »
   *[other] { $count } parties de « { $name } »
  }
delete = Supprimer
delete-game = Supprimer { $game }
delete-all = Tout supprimer
deleted = Supprimé : { $what }.
not-restored = Impossible de restaurer les parties supprimées pour l’instant : { $reason }.
games-written-of = { $number } parties écrites sur { $count }…
games-saved = { $count ->
    [one] { $count } partie enregistrée sous { $name }.
   *[other] { $count } parties enregistrées sous { $name }.
  }
games-not-saved = { $count ->
    [one] { $count } partie n’a pas pu être enregistrée : { $reason }
   *[other] { $count } parties n’ont pas pu être enregistrées : { $reason }
  }
backup-without-results = Les résultats de ton classement n’ont pas pu être lus et manquent.
backup-open = Ouvre le fichier dans n’importe quel navigateur pour restaurer les parties.
games-added = { $count ->
    [0] Aucune partie ajoutée.
    [one] Une partie ajoutée.
   *[other] { $count } parties ajoutées.
  }
games-added-except = { $count ->
    [0] Aucune partie ajoutée ; déjà ici : { $same }.
    [one] Une partie ajoutée ; déjà ici : { $same }.
   *[other] { $count } parties ajoutées ; déjà ici : { $same }.
  }
not-a-game-file = Ce n’est pas un fichier de partie.
file-is-utf16 = Ce fichier est en UTF-16. Enregistrez-le en UTF-8.
file-is-compressed = Ce fichier est compressé. Décompressez-le d’abord.
pasted-games = Parties collées
line-too-long = ligne { $line } : ce texte est trop long pour une partie
game-number-error = partie { $number } : { $reason }
not-a-backup = ce n’est pas une sauvegarde de parties

## The tab for matches of engines

match-title = Match de moteurs
match-match = Match
match-choice =
    .aria-label = Match
match-games =
    .aria-label = Parties du match
match-points = Points dans le match : { $points }
match-progress =
    .aria-label = Progression du match
match-delete = Supprimer ce match
match-new = Nouveau match
match-limit = Par coup
limit-positions = { $count } positions par coup
limit-seconds = { $count } s par coup
match-about = Les parties vont par deux : chaque ouverture est jouée deux fois, en inversant les couleurs. Un niveau joue à sa propre force, dans cette limite.
first-player = Premier joueur
second-player = Second joueur
player-engine = { $player } : moteur
player-level = { $player } : niveau
engine-not-ready = le moteur n’est pas encore prêt
match-busy = Un seul match peut se jouer à la fois : { $match } est en cours.
match-game-turn = Partie { $number } sur { $count }, coup { $turn }.
match-counts = Gagnées : { $wins }, nulles : { $draws }, perdues : { $losses } sur { $count } ({ $limit }).
match-pairs = Paires selon les points du premier joueur
match-elo = Différence Elo du premier joueur { $elo } ({ $share } : de { $low } à { $high }).
match-no-elo = La différence Elo est estimée après les premières paires.
too-many-orders-share = Trop de matchs et d’analyses sont en cours pour ton adresse. Arrêtes-en un.
match-superiority = Probabilité que le premier joueur soit le plus fort : { $share }.
less-than = moins de { $share }
more-than = plus de { $share }
match-open-game = { $score }, { $result } avec les { $sideName }. Ouvrir la partie
match-failed = Le match s’est arrêté : { $reason }.
match-over = Le match est terminé : { $score }.
match-stopped = Le match est en pause. Tu peux le reprendre quand tu veux.
match-deleted = Match { $match } supprimé.
match-not-restored = Impossible de restaurer le match { $match } pour l’instant : { $reason }.
match-of = Match { $match }
match-note = { $limit } ; les { $count } premiers coups forment l’ouverture.
match-chart = Elo après les paires { $first } à { $last } ; maintenant { $elo } ± { $error }
match-elsewhere = il se joue dans un autre onglet
match-not-stored = impossible d’enregistrer une partie : { $reason }

## Games: finding stored games, and giving them names and tags

find-games =
    .aria-label = Chercher des parties
find-words =
    .aria-label = Chercher un nom, un joueur, une étiquette
    .placeholder = Nom ou étiquette
find-player =
    .aria-label = Joueur
    .placeholder = Joueur
find-result =
    .aria-label = Résultat
find-source =
    .aria-label = Origine
outcome-any = Tous les résultats
outcome-white = Victoires des Blancs
outcome-black = Victoires des Noirs
outcome-draw = Parties nulles
outcome-open = Inachevées
source-any = Toutes les origines
source-own = Jouées ici
found-games = { $count ->
    [0] Aucune partie trouvée
    [one] { $count } partie trouvée
   *[other] { $count } parties trouvées
  }
find-none = Aucune partie ne correspond. Cherche avec moins de mots, ou choisis tous les résultats et toutes les origines.
find-more = En voir plus, sur { $count }
name-game = Nom et étiquettes de { $title }
name-game-short = Nom et étiquettes
game-name = Nom
game-labels = Étiquettes, séparées par des virgules
save-name = Enregistrer
name-elsewhere = Cette partie est ouverte dans un autre onglet. Donne-lui un nom là-bas.

## Why an engine has stopped, or refuses an option: parts of sentences. Words of the engine may follow in parentheses

wrong-engine-start = { $engine } ne peut pas être lancé
wrong-engine-handshake = { $engine } ne répond pas comme un moteur
wrong-engine-died = { $engine } s’est terminé de façon inattendue
wrong-engine-closed = { $engine } a fermé sa sortie
wrong-engine-silent = { $engine } ne répond pas
wrong-engine-late = { $engine } n’a pas donné de coup à temps
wrong-engine-garbage = { $engine } n’a pas respecté le protocole
wrong-engine-illegal = { $engine } a donné un coup illégal
wrong-engine-position = { $engine } n’a pas accepté la position
wrong-engine-ended = { $engine } a été arrêté
wrong-engine-rejects = le moteur refuse la valeur { $value }
wrong-option-string = seule la ligne de commande du moteur peut régler l’option { $name }
wrong-option-button = l’option { $name } est un bouton et n’a pas de valeur
wrong-option-most = l’option { $name } vaut au plus { $most } sur ce serveur
wrong-option-value = l’option { $name } ne peut pas être { $value }
wrong-option-unknown = le moteur n’a pas d’option { $name }
