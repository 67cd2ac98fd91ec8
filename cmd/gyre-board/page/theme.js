// Runs before the first paint, so that a page in the colours the user chose does
// not flash in others. It is no module, since modules run later.
try {
  const { theme, board } = JSON.parse(localStorage.getItem("gyre.settings")) ?? {};
  if (theme) document.documentElement.dataset.theme = theme;
  if (board) document.documentElement.dataset.board = board;
} catch {
  // Without storage the system's colours hold.
}
