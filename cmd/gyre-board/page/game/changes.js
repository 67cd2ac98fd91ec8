// When to draw. The panels are functions of the page's objects: whatever changes in these, each
// panel is drawn again, once, after all of the changes are made.

/**
 * Draws after anything changed that the page shows of the game: the game and the position,
 * its turns, who plays, what an engine thinks, and the turn being entered.
 * @param {Pick<import("../_types/page").Page, "controller"|"play"|"boardView">} page
 * @param {() => void} draw
 */
export function whenChanged({ controller, play, boardView }, draw) {
  let waits = false;
  const soon = () => {
    if (waits) return;
    waits = true;
    queueMicrotask(() => {
      waits = false;
      draw();
    });
  };
  for (const name of ["game", "position", "tree", "live", "playing"]) controller.addEventListener(name, soon);
  for (const name of ["thinking", "ended"]) play.addEventListener(name, soon);
  boardView.addEventListener("change", soon);
}
