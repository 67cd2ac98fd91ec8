// The tree of a game: every turn played from the start, with variations. The first
// child of a node is its main turn.

/** A position of a game: the start, or the result of a turn. */
export class TurnNode {
  /** @type {TurnNode[]} */
  children = [];
  /** The user's note on this turn. */
  comment = "";
  /** The score of the position, from White's side. @type {import("../_types/messages").Score|null} */
  score = null;
  /** The finding of a review about this turn. @type {import("../_types/messages").Finding|null} */
  finding = null;
  /** The summary, by side, of a review of the line that ends here. @type {Object<string, import("../_types/messages").Summary>|null} */
  review = null;
  /** Milliseconds left for White and Black after the turn. @type {{w: number, b: number}|null} */
  clock = null;
  /** An end that the board does not show, such as a resignation. @type {import("../_types/messages").End|null} */
  end = null;
  /** Arrows drawn by the user. @type {Array<{from: string, to: string}>} */
  arrows = [];
  /** The child visited last; stepping forward follows it. */
  preferred = 0;

  /**
   * @param {string} turn the turn, "" at the start
   * @param {TurnNode|null} parent
  */
  constructor(turn, parent) {
    this.turn = turn;
    this.parent = parent;
    /** The number of turns from the start. @type {number} */
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

  /** The last node of the line last followed from here. @returns {TurnNode} */
  get leaf() {
    let node = /** @type {TurnNode} */ (this);
    while (node.next) node = node.next;
    return node;
  }

  /** The node that stepping forward goes to. @returns {TurnNode|null} */
  get next() {
    return this.children[this.preferred] ?? this.children[0] ?? null;
  }

  /** Whether this node is the given one or follows it. */
  comesAfter(node) {
    for (let at = /** @type {TurnNode} */ (this); at; at = at.parent) if (at === node) return true;
    return false;
  }

  /** Whether every turn up to here is a main turn. */
  get onMainLine() {
    return !this.parent || (this.parent.children[0] === this && this.parent.onMainLine);
  }

  /**
   * The child with a turn. It is created if necessary.
   * @param {string} turn
   * @param {boolean} main whether a new turn becomes the main one
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

  /** Makes this turn the main one among its siblings. */
  makeFirst() {
    const { children } = this.parent;
    children.splice(children.indexOf(this), 1);
    children.unshift(this);
    this.parent.preferred = 0;
  }

  /** Makes stepping forward from the start follow the path to here. */
  prefer() {
    for (let node = /** @type {TurnNode} */ (this); node.parent; node = node.parent) node.parent.preferred = node.parent.children.indexOf(node);
  }

  /** Makes the path from the start to here the main line. */
  promote() {
    for (let node = /** @type {TurnNode} */ (this); node.parent; node = node.parent) node.makeFirst();
  }

  /**
   * Removes this node and everything after it from the tree.
   * @returns {() => void} restores them
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

// What is stored of a node in addition to its turn and children, if not empty.
const KEPT = ["comment", "score", "finding", "review", "clock", "end", "arrows", "preferred"];

/**
 * The tree as a JSON value. A line without variations is a flat list, so that long
 * games do not nest deeply.
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
  // The main turn must be the first child, before the others.
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
 * The indexes of the children that lead from the root to a node.
 * @param {TurnNode} node
 */
export function address(node) {
  return node.nodes.map((at) => at.parent.children.indexOf(at));
}

/**
 * The node at an address, or the nearest ancestor that exists.
 * @param {TurnNode} root
 * @param {number[]} way
 */
export function find(root, way) {
  let node = root;
  for (const index of way ?? []) {
    if (!node.children[index]) break;
    node = node.children[index];
  }
  return node;
}
