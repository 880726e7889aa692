/** The part of Node-RED's runtime interface that the nodes use, as types. It holds no code. */
import type { IncomingMessage, Server } from 'node:http'

export interface Message {
  _msgid?: string
  [property: string]: unknown
}

export interface Status {
  fill?: 'red' | 'green' | 'yellow' | 'blue' | 'grey'
  shape?: 'ring' | 'dot'
  text?: string
}

/** A message for the first output, or one entry per output: nothing, a message, or several. */
export type Send = (message: Message | (Message | Message[] | null)[]) => void
export type Done = (failure?: Error) => void

/** The configuration that the editor stores for a node. Further properties depend on its type. */
export interface Config {
  id: string
  type: string
  name?: string
  /** Raised when stored properties change their meaning. Nodes migrate older configurations when they load. */
  version?: number
  [property: string]: unknown
}

export interface RuntimeNode {
  id: string
  type: string
  name?: string
  /** The ids of the nodes that each output is wired to, as they are now. */
  wires: string[][]
  credentials: Record<string, string | undefined>
  status(status: Status | string): void
  error(failure: unknown, message?: Message): void
  warn(text: string): void
  log(text: string): void
  send: Send
  on(event: 'input', listener: (message: Message, send: Send, done: Done) => void): void
  on(event: 'close', listener: (removed: boolean, done: () => void) => void): void
}

export interface Request extends IncomingMessage {
  originalUrl: string
  path: string
  body?: unknown
  params: Record<string, string>
  query: Record<string, unknown>
  /** Set by body parsers, so that no second one reads the stream. */
  _body?: boolean
}

export interface Response {
  headersSent: boolean
  status(code: number): Response
  set(headers: Record<string, string>): Response
  json(body: unknown): void
  send(body?: unknown): void
  end(body?: Uint8Array): void
}

export type Next = (failure?: unknown) => void
export type Handler = (request: Request, response: Response, next: Next) => void

/** An Express 4 application, as Node-RED makes it. */
export interface App {
  parent?: App
  _router?: { stack: { handle: unknown }[] }
  /** Where Express 5 keeps it, in case the operator's root application is one. */
  router?: { stack: { handle: unknown }[] }
  path(): string
  use(handler: Handler): void
  get(path: string, ...handlers: Handler[]): void
  post(path: string, ...handlers: Handler[]): void
}

/** Values that the editor finds in `RED.settings`; each name begins with the type of the node, in camel case. */
export type EditorSettings = Record<`countersign${string}`, { value: unknown; exportable: boolean }>

export interface Runtime {
  settings: {
    userDir?: string
    uiPort?: number | string
    uiHost?: string
    https?: unknown
    httpNodeRoot?: string | false
    httpNodeAuth?: unknown
    httpNodeMiddleware?: Handler | Handler[]
    [setting: string]: unknown
  }
  server: Server
  httpNode: App
  httpAdmin: App
  auth: { needsPermission(permission: string): Handler }
  log: { warn(text: string): void }
  /** `flows:stopping` comes before a deploy removes nodes; `flows:started` at the start and after each deploy, when all nodes are there. */
  events: Record<'on' | 'removeListener', (event: 'flows:started' | 'flows:stopping', listener: () => void) => void>
  nodes: {
    createNode(node: RuntimeNode, config: Config): void
    getNode(id: unknown): RuntimeNode | null
    /** Returns the credentials of a node that was deployed, enabled or not. */
    getCredentials(id: string): Record<string, string | undefined> | undefined
    /** Calls back with every node of the flows, disabled ones too; during a deploy, of the new flows. */
    eachNode(callback: (node: Config) => void): void
    registerType(
      type: string,
      create: (this: RuntimeNode, config: Config) => void,
      options?: { credentials?: Record<string, { type: 'text' | 'password' }>; settings?: EditorSettings },
    ): void
  }
  util: {
    evaluateNodeProperty(
      value: unknown,
      type: string,
      node: RuntimeNode,
      message: Message,
      callback: (failure: Error | null, value?: unknown) => void,
    ): unknown
    setMessageProperty(message: Message, path: string, value: unknown, create?: boolean): void
    generateId(): string
    cloneMessage(message: Message): Message
  }
  /** A text of the catalogue alongside the node file, or of another one when the key begins with `<catalogue>:`. */
  _(key: string, values?: Record<string, unknown>): string
}
