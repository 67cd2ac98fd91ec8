// The messages between page and server. Generated from the server's Go types by
// go test ./cmd/gyre-board/internal/session -run MessagesAreDescribed -update

export type Side = "w" | "b";

/** The requests by name. */
export interface Requests {
  engine: { question: EngineOrder; answer: EngineAnswer };
  enter: { question: EnterOrder; answer: State };
  game: { question: GameQuestion; answer: {} };
  hello: { question: {}; answer: Greeting };
  host: { question: Terms; answer: Keys };
  leave: { question: RoomOrder; answer: {} };
  match: { question: MatchOrder; answer: {} };
  openings: { question: PathQuestion; answer: OpeningsAnswer };
  play: { question: PlayOrder; answer: {} };
  read: { question: TextQuestion; answer: TextContent };
  rematch: { question: RoomOrder; answer: {} };
  resign: { question: RoomOrder; answer: {} };
  restart: { question: EngineOrder; answer: EngineAnswer };
  review: { question: ReviewOrder; answer: {} };
  setup: { question: Setting; answer: SetUp };
  standing: { question: StandingQuestion; answer: Standing };
  stop: { question: StopOrder; answer: {} };
  stored: { question: StoredOrder; answer: {} };
  think: { question: ThinkOrder; answer: {} };
  threat: { question: ThinkOrder; answer: {} };
  why: { question: TurnQuestion; answer: TurnAnswer };
  worth: { question: WorthOrder; answer: {} };
  write: { question: TextOrder; answer: TextAnswer };
}

/** The events by name. */
export interface Events {
  best: BestEvent;
  failed: FailedEvent;
  info: InfoEvent;
  matched: MatchedEvent;
  played: PlayedEvent;
  review: ReviewEvent;
  reviewed: ReviewedEvent;
  room: RoomEvent;
  turn: TurnEvent;
  worth: WorthEvent;
}

/** The reply to a request. */
export type Reply = { id: number; ok?: unknown; error?: Refusal };

export interface Arrow {
  from: string;
  to: string;
}

export interface BestEvent {
  event: string;
  search: number;
  turn: string | null;
  elapsed: number;
  stopped: boolean;
}

export interface Bounds {
  sessions: number;
  engines: number;
  multipv: number;
  message: number;
  reviewers: number;
  analysts: number;
}

export interface Clock {
  w: number;
  b: number;
}

export interface ClockOrder {
  white: number;
  black: number;
  inc: number;
}

export interface Contestant {
  engine: string;
  level: string | null;
}

export interface EloPoint {
  pairs: number;
  elo: number;
  error: number;
}

export interface EloRange {
  value: number | null;
  low: number | null;
  high: number | null;
}

export interface End {
  winner: string;
  why: string;
}

export interface EngineAnswer {
  name: string;
  id: string;
  author: string;
  options: OptionView[];
}

export interface EngineOrder {
  engine: string;
}

export interface EngineView {
  name: string;
  options: OptionView[];
}

export interface EnterOrder {
  room: string;
  key?: string;
  name?: string;
}

export interface Fact {
  kind: string;
  side: Side;
  turn?: string;
  rows?: [string, string][];
  rings?: string[];
  had?: number;
  left?: number;
}

export interface FailedEvent {
  event: string;
  search: number;
  engine: string;
  reason: string;
  lost: boolean;
  code?: string;
  fault?: Fault;
}

export interface Fault {
  code: string;
  values?: Record<string, string>;
}

export interface Finding {
  label: "" | "inaccuracy" | "mistake" | "blunder";
  lost: number;
  accuracy: number;
  missedRow: boolean;
  best: string;
  line?: string[];
}

export interface GameQuestion {
  path: Path;
  id: number;
  after?: number;
  ply?: number;
}

export interface Greeting {
  version: string;
  engines: EngineView[];
  levels: Level[];
  limits: Bounds;
  rooms: boolean;
}

export interface InfoEvent {
  event: string;
  search: number;
  side: Side;
  lines: InfoLine[];
  message?: string;
}

export interface InfoLine {
  multipv: number;
  depth: number;
  seldepth: number;
  score: ScoreFields | null;
  bound: "" | "lower" | "upper";
  nodes: number;
  nps: number;
  time: number;
  hashfull: number;
  pv: string[];
}

export interface Keys {
  room: string;
  seats: { w: string; b: string };
}

export interface Level {
  name: string;
  elo: number;
}

export interface LimitsOrder {
  nodes?: number;
  movetime?: number;
  depth?: number;
  infinite?: boolean;
  clock?: ClockOrder;
}

export interface MatchOrder {
  search: number;
  players: [Contestant, Contestant];
  rules: "standard" | "blitz";
  limits: LimitsOrder;
  games: number;
  seed: number;
  results: string;
  stores: boolean;
}

export interface MatchedEvent {
  event: string;
  search: number;
}

export interface Next {
  room: string;
  key: string;
  side: Side;
}

export interface Node {
  turn: string;
  comment?: string;
  score?: Score;
  finding?: Finding;
  review?: Record<string, Summary>;
  clock?: Clock;
  end?: End;
  arrows?: Arrow[];
  preferred?: number;
  others?: Node[][];
}

export interface OpeningTurn {
  turn: string;
  key: string;
  alike: number;
}

export interface OpeningsAnswer {
  keys: string[];
  turns: OpeningTurn[];
}

export interface OptionView {
  name: string;
  type: string;
  default: string;
  min: number;
  max: number;
  vars: string[];
}

export interface Path {
  rules: "standard" | "blitz";
  start: string;
  turns: string[];
}

export interface PathQuestion {
  path: Path;
}

export interface PlayOrder {
  room: string;
  key?: string;
  ply: number;
  turn: string;
}

export interface PlayedEvent {
  event: string;
  search: number;
  game: number;
  white: number;
  path: Path;
  opening: number;
  results: string;
  standing: Standing;
}

export interface Refusal {
  message: string;
  where: string;
  code?: string;
  fault?: Fault;
}

export interface ReviewEvent {
  event: string;
  search: number;
  share: number;
  turn: VerdictView;
}

export interface ReviewOrder {
  path: Path;
  search: number;
  engine: string;
  game: string;
  nodes: number;
  better?: string;
  apart?: boolean;
}

export interface ReviewedEvent {
  event: string;
  search: number;
  stopped: boolean;
  summary: Record<string, Summary>;
}

export interface RoomEvent {
  event: string;
  state: State;
}

export interface RoomOrder {
  room: string;
  key?: string;
}

export interface Score {
  cp?: number;
  mate?: number;
  depth?: number;
}

export interface ScoreFields {
  cp?: number;
  mate?: number;
}

export interface SetUp {
  position: string;
  problem: string;
  fault?: Fault;
  over: boolean;
}

export interface Setting {
  rules: "standard" | "blitz";
  side: Side;
  points: Record<string, string>;
  removed: [number, number];
}

export interface Standing {
  wins: number;
  draws: number;
  losses: number;
  pairs: [number, number, number, number, number];
  elo: EloRange | null;
  superiority: number | null;
  course: EloPoint[];
}

export interface StandingQuestion {
  results: string;
}

export interface State {
  room: string;
  seat: string;
  rules: "standard" | "blitz";
  clock: TimeControl | null;
  names: { w: string; b: string };
  turns: string[];
  left: { w: number; b: number } | null;
  running: string;
  paused: boolean;
  end: End | null;
  over: boolean;
  here: { w: boolean; b: boolean };
  watching: number;
  began: number;
  next: Next | null;
  displaced: string;
}

export interface StopOrder {
  search: number;
}

export interface StoredOrder {
  search: number;
  games: number;
}

export interface Summary {
  turns: number;
  accuracy: number;
  meanLost: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  missedRows: number;
}

export interface TargetView {
  to: string;
  turn: string;
  lost: number;
}

export interface Terms {
  rules: "standard" | "blitz";
  clock: TimeControl | null;
}

export interface TextAnswer {
  text: string;
}

export interface TextContent {
  kind: string;
  games: TextGame[];
  skipped?: Refusal[];
}

export interface TextGame {
  path: Path;
  tags: [string, string][];
  comments: Record<string, string>;
  result: string;
  end?: End;
  tree?: Node[];
}

export interface TextOrder {
  path: Path;
  tags: [string, string][];
  comments: Record<string, string>;
  result: string;
  end?: End;
  tree?: Node[];
  format?: string;
}

export interface TextQuestion {
  text: string;
  rules?: "standard" | "blitz";
  line?: number;
}

export interface ThinkOrder {
  path: Path;
  search: number;
  engine: string;
  game: string;
  limits: LimitsOrder;
  multipv: number;
  level: string | null;
  options?: Record<string, string | number | boolean>;
}

export interface TimeControl {
  base: number;
  inc: number;
}

export interface TurnAnswer {
  against: Fact[];
  for: Fact[];
}

export interface TurnEvent {
  event: string;
  search: number;
  game: number;
  turns: number;
  added: string[];
}

export interface TurnQuestion {
  path: Path;
  better: string;
}

export interface VerdictView {
  ply: number;
  side: Side;
  turn: string;
  best: string[];
  reply?: string;
  before: ScoreFields;
  after: ScoreFields;
  lost: number;
  accuracy: number;
  label: "" | "inaccuracy" | "mistake" | "blunder";
  doubtful?: boolean;
  missedRow: boolean;
}

export interface WorthEvent {
  event: string;
  search: number;
  targets: TargetView[];
}

export interface WorthOrder {
  path: Path;
  search: number;
  engine: string;
  game: string;
  from: string;
  nodes: number;
  options?: Record<string, string | number | boolean>;
}
