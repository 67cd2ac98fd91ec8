// The help dialog: the rules in short, the mouse, the keys, and turns as text.

import { byId, markup } from "../../dom.js";
import { openDialog } from "../../panels/dialogs.js";

const SHEET = `
<dialog id="help-dialog" aria-labelledby="help-title" data-testid="help-dialog">
  <h2 id="help-title" tabindex="-1" autofocus>Help</h2>
  <div id="help-how"></div>
  <h3>Mouse and touch</h3>
  <p>Click a ring, then one of the dots; or drag it. A row: click its handle, or its markers until one row is left, then click that row or <b>Take</b>. The right button draws an arrow. A press while a turn is being shown jumps to its end.</p>
  <h3>Keys</h3>
  <table class="keys"><tbody>
    <tr><th scope="row"><kbd>↑</kbd> <kbd>↓</kbd></th><td>on the board: along the letter; elsewhere: other variations</td></tr>
    <tr><th scope="row"><kbd>←</kbd> <kbd>→</kbd></th><td>on the board: along the number; elsewhere: one turn back, forward</td></tr>
    <tr><th scope="row"><kbd>Shift</kbd> + arrow</th><td>on the board: along the third line</td></tr>
    <tr><th scope="row"><kbd>Enter</kbd></th><td>pick the point, or take the row shown</td></tr>
    <tr><th scope="row"><kbd>n</kbd> <kbd>p</kbd></th><td>on the board: next, previous choice; elsewhere: next, previous mistake of a review</td></tr>
    <tr><th scope="row"><kbd>Esc</kbd> <kbd>Backspace</kbd></th><td>take one step back</td></tr>
    <tr><th scope="row"><kbd>m</kbd> <kbd>l</kbd></th><td>read out the choices, the last turn</td></tr>
    <tr><th scope="row"><kbd>,</kbd> <kbd>.</kbd></th><td>one turn back, forward, anywhere; <kbd>Home</kbd> <kbd>End</kbd> to the ends</td></tr>
    <tr><th scope="row"><kbd>g</kbd> <kbd>i</kbd></th><td>to the board, to the box for turns</td></tr>
    <tr><th scope="row"><kbd>u</kbd> <kbd>r</kbd></th><td>take back, replay the last turn</td></tr>
    <tr><th scope="row"><kbd>h</kbd></th><td>a hint in a game against an engine; again: the turn</td></tr>
    <tr><th scope="row"><kbd>f</kbd></th><td>turn the board round</td></tr>
    <tr><th scope="row"><kbd>a</kbd> <kbd>t</kbd></th><td>analysis, threat</td></tr>
    <tr><th scope="row"><kbd>d</kbd></th><td>begin or end an arrow at the point</td></tr>
    <tr><th scope="row"><kbd>?</kbd></th><td>this sheet</td></tr>
  </tbody></table>
  <h3>Turns as text</h3>
  <p><code>f6</code> places a ring, <code>e4-e10</code> moves one, <code>xb3-b7xb2</code> takes the row b3 to b7 and the ring on b2; <code>;</code> joins the parts of a turn.</p>
  <div class="buttons"><button type="button" class="main" data-close>Close</button></div>
</dialog>`;

/**
 * Creates the dialog.
 * @param {import("../../_types/page").Page} page
 */
export function begin({ parts }) {
  document.body.append(markup(SHEET));
  byId("help-how").append(byId("how").querySelector("ol").cloneNode(true));
  parts.open("pictures");
  return { open: () => openDialog("help-dialog") };
}
