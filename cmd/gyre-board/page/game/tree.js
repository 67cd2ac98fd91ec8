// The tree of a game: every turn that was played from the start, with the
// variations that came of going back and playing otherwise. The first child of a
// node is its main turn.

/** A position of a game: the start, or what a turn led to. */
export class TurnNode {
  /** @type {TurnNode[]} */
  children = [];
  /** What the user wrote about this turn. */
  comment = "";
  /** White's view of the position. @type {import("../_types/messages").Score|null} */
  score = null;
  /** What a review found about this turn. @type {import("../_types/messages").Finding|null} */
  finding = null;
  /** The summary, by side, of a review of the line that ended here. @type {Object<string, import("../_types/messages").Summary>|null} */
  review = null;
  /** Milliseconds left to White and Black when the turn was done. @type {{w: number, b: number}|null} */
  clock = null;
  /** An end that the board does not show. @type {import("../_types/messages").End|null} */
  end = null;
  /** Arrows that the user drew. @type {Array<{from: string, to: string}>} */
  arrows = [];
  /** Which child was looked at last; stepping forward follows it. */
  preferred = 0;

  /**
   * @param {string} turn the word, "" at the start
   * @param {TurnNode|null} parent
   */
  constructor(turn, parent) {
    this.turn = turn;
    this.parent = parent;
    /** Turns from the start. @type {number} */
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** The turns from the start to here. @returns {string[]} */
  get turns() {
    return this.nodes.map((node) => node.turn);
  }

  /** The nodes from the first turn to here. @returns {TurnNode[]} */
  get nodes() {
    const all = [];
    for (let node = /** @type {TurnNode} */ (this); node.parent; node = node.parent) all.push(node);
    return all.reverse();
  }

  /** The last node when one goes on from here as before. @returns {TurnNode} */
  get leaf() {
    let node = /** @type {TurnNode} */ (this);
    while (node.next) node = node.next;
    return node;
  }

  /** The node that stepping forward leads to. @returns {TurnNode|null} */
  get next() {
    return this.children[this.preferred] ?? this.children[0] ?? null;
  }

  /** Whether a node is this one or before it. */
  comesAfter(node) {
    for (let at = /** @type {TurnNode} */ (this); at; at = at.parent) if (at === node) return true;
    return false;
  }

  /** Whether every turn up to here is the main one. */
  get onMainLine() {
    return !this.parent || (this.parent.children[0] === this && this.parent.onMainLine);
  }

  /**
   * The child with a turn, made if there is none.
   * @param {string} turn
   * @param {boolean} main whether a new turn becomes the main one
   * @returns {TurnNode}
   */
  play(turn, main) {
    let child = this.children.find((node) => node.turn === turn);
    if (!child) {
      child = new TurnNode(turn, this);
      if (main) this.children.unshift(child);
      else this.children.push(child);
    }
    this.preferred = this.children.indexOf(child);
    return child;
  }

  /** Puts this turn before the others that were played instead of it. */
  makeFirst() {
    const { children } = this.parent;
    children.splice(children.indexOf(this), 1);
    children.unshift(this);
    this.parent.preferred = 0;
  }

  /** Makes the way from the start to here what stepping forward follows. */
  prefer() {
    for (let node = /** @type {TurnNode} */ (this); node.parent; node = node.parent) node.parent.preferred = node.parent.children.indexOf(node);
  }

  /** Makes the way from the start to here the main line. */
  promote() {
    for (let node = /** @type {TurnNode} */ (this); node.parent; node = node.parent) node.makeFirst();
  }

  /**
   * Takes this node and all after it out of the tree.
   * @returns {() => void} puts them back where they were
   */
  remove() {
    const { parent } = this;
    const index = parent.children.indexOf(this);
    const { preferred } = parent;
    parent.children.splice(index, 1);
    parent.preferred = 0;
    return () => {
      parent.children.splice(index, 0, this);
      parent.preferred = preferred;
    };
  }
}

// What is stored of a node besides its turn and children, where it is not empty.
const KEPT = ["comment", "score", "finding", "review", "clock", "end", "arrows", "preferred"];

/**
 * The tree as a value for JSON. A line without variations is a flat list, so
 * that long games do not nest deeply.
 * @param {TurnNode} root
 * @returns {import("../_types/messages").Node[]}
 */
export function pack(root) {
  const list = [];
  let node = root;
  for (;;) {
    const item = /** @type {import("../_types/messages").Node} */ ({ turn: node.turn });
    for (const key of KEPT) {
      const value = node[key];
      if (Array.isArray(value) ? value.length : value) item[key] = value;
    }
    list.push(item);
    if (node.children.length > 1) item.others = node.children.slice(1).map(pack);
    if (!node.children.length) return list;
    node = node.children[0];
  }
}

/**
 * The tree of a packed list.
 * @param {import("../_types/messages").Node[]} list
 * @param {TurnNode|null} [parent]
 * @returns {TurnNode} the node of the first item
 */
export function unpack(list, parent = null) {
  let first = null;
  let above = parent;
  // The main turn comes before the others, as the first child.
  const later = [];
  for (const item of list) {
    const node = new TurnNode(item.turn, above);
    for (const key of KEPT) if (item[key]) node[key] = item[key];
    above?.children.push(node);
    for (const other of item.others ?? []) later.push([node, other]);
    first ??= node;
    above = node;
  }
  for (const [node, other] of later) unpack(other, node);
  return first;
}

/**
 * The numbers of children that lead from the root to a node.
 * @param {TurnNode} node
 * @returns {number[]}
 */
export function address(node) {
  return node.nodes.map((at) => at.parent.children.indexOf(at));
}

/**
 * The node at an address, or as near to it as there is.
 * @param {TurnNode} root
 * @param {number[]} way
 * @returns {TurnNode}
 */
export function find(root, way) {
  let node = root;
  for (const index of way ?? []) {
    if (!node.children[index]) break;
    node = node.children[index];
  }
  return node;
}
