/** The routes of a table: one loop that admits, reads, runs and answers. A new row needs no line here. */
import { Router as createRouter, type Request, type RequestHandler, type Response, type Router } from 'express'
import { BUSY_RETRY_MS, STREAM_LIFE_MS } from '../choices.ts'
import { Busy, Refusal } from '../domain/refusal.ts'
import { answered, read, successOf } from '../operations/perform.ts'
import type { CsvAnswer, PdfAnswer, Row, StreamAnswer, Table } from '../operations/row.ts'
import type { HoldAnswer } from './bodies/answer-room.ts'
import { createRoom } from './bodies/room.ts'
import { holderOf } from './callers/holder.ts'
import type { InTurn } from './callers/turns.ts'
import { sendJson } from './large-json.ts'
import { loggedRoute } from './logged-route.ts'
import { strayBody } from './stray-body.ts'
import { withoutBrackets } from './without-brackets.ts'

/** Who is let in, and what a row is given of the request. */
export interface Door<Context> {
  /** Returns what finds out who calls, and refuses who may not call the row, before anything is read. */
  admit(row: Row<Context>): RequestHandler[]
  contextOf(req: Request, res: Response): Context
}

export interface Mounting {
  /** Returns what holds callers to the rate of a row. */
  paceOf(row: Pick<Row, 'perNetwork'>): RequestHandler[]
  /** Returns what reads the body of a row. */
  readersOf(row: Pick<Row, 'body' | 'reads'>): RequestHandler[]
  /** Gives each caller a fair share of the work under way. */
  inTurn: InTurn
  holdAnswer: HoldAnswer
  /** Called before a refusal of a row is answered. */
  onRefusal(row: Row, refusal: Refusal, req: Request, res: Response): Promise<void>
}

export function tableRoutes<C>(table: Table<C>, door: Door<C>, mounting: Mounting): Router {
  const router = createRouter()
  const rows = Object.entries(table)
  // Paths without parameters come first, with all that they refuse: each would match one with a parameter, too.
  const paths = [...new Set(rows.map(([, row]) => row.path))]
  for (const path of paths.sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')))) {
    for (const [name, row] of rows) if (row.path === path) serve(router, name, row, door, mounting)
    refuseOtherMethods(router, table, path)
  }
  return router
}

function serve<C>(router: Router, name: string, row: Row<C>, door: Door<C>, mounting: Mounting): void {
  const identify: RequestHandler = (_req, res, next) => {
    res.locals.operation = name
    res.locals.declared = Object.keys(row.responses).map(Number)
    next()
  }
  const admitted = [...door.admit(row), ...mounting.paceOf(row), ...mounting.readersOf(row)]
  const before = [loggedRoute(row.path), identify, ...admitted]
  const placeOf = placesOf(row)
  router[row.method](row.path, ...before, (req, res) => {
    const run = () => answer(row, { door, mounting, placeOf }, req, res)
    const work = isCounted(row) ? mounting.inTurn(req, res, run) : run()
    return res.locals.bodyWhile?.(work) ?? work
  })
}

/** Streams have places of their own, and so has what anyone may call. */
const isCounted = (row: Pick<Row, 'who' | 'responses'>): boolean =>
  !row.who.includes('anybody') && successOf(row)[1] !== 'stream'

/** Returns what takes a place for the work of a request, and returns what frees it. Throws `Busy` when there is none. */
function placesOf({ atOnce }: Pick<Row, 'atOnce'>): (req: Request, res: Response) => () => void {
  if (!atOnce) return () => () => {}
  const room = createRoom(atOnce)
  return (req, res) => {
    const leave = room.take(holderOf(req, res).name, 1)
    if (leave) return leave
    const advice = `Wait for the earlier ones, and try again in ${BUSY_RETRY_MS / 1000} seconds.`
    throw new Busy(BUSY_RETRY_MS, `Too many ${atOnce.of} at once. ${advice}`)
  }
}

interface Serving<C> {
  door: Door<C>
  mounting: Mounting
  placeOf: ReturnType<typeof placesOf>
}

async function answer<C>(
  row: Row<C>,
  { door, mounting, placeOf }: Serving<C>,
  req: Request,
  res: Response,
): Promise<void> {
  const context = door.contextOf(req, res)
  const sent = { params: req.params, query: withoutBrackets(req.query), body: req.body as unknown }
  const request = await read(row, context, sent, row.body ? [] : await strayBody(req))
  if (row.taskId) res.locals.taskId = (request.params as Record<string, number>)[row.taskId]
  const leave = placeOf(req, res)
  let result: unknown
  try {
    result = await row.run(context, request)
  } catch (failure) {
    if (failure instanceof Refusal) await mounting.onRefusal(row, failure, req, res)
    throw failure
  } finally {
    leave()
  }
  const [status, kind] = successOf(row)
  const hold = (bytes: number) => mounting.holdAnswer(req, res, bytes)
  res.status(status)
  if (kind === null) res.end()
  else if (kind === 'pdf') sendPdf(res, result as PdfAnswer, hold)
  else if (kind === 'csv') sendCsv(res, result as CsvAnswer, hold)
  else if (kind === 'stream') stream(res, result as StreamAnswer)
  else await sendJson(res, answered(row, result), hold)
}

/** Holds room for what an answer sends. Throws `Busy` when there is none. */
type Hold = (bytes: number) => void

function sendPdf(res: Response, { pdf, fileName, disposition, isFramed }: PdfAnswer, hold: Hold): void {
  hold(pdf.length)
  if (isFramed) res.setHeader('Content-Security-Policy', FRAMED_POLICY)
  res.setHeader('Content-Type', 'application/pdf')
  res.setHeader('Content-Disposition', `${disposition}; filename="${fileName}"`)
  res.send(pdf)
}

/** A part of the browser shows a PDF; the document itself loads nothing. */
const FRAMED_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

function sendCsv(res: Response, { csv, fileName }: CsvAnswer, hold: Hold): void {
  hold(csv.length)
  res.setHeader('Content-Type', 'text/csv; charset=utf-8')
  res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`)
  res.send(csv)
}

function stream(res: Response, follow: StreamAnswer): void {
  res.setHeader('Content-Type', 'text/event-stream')
  // nginx passes on at once what is marked so, whatever its configuration says of buffers.
  res.setHeader('X-Accel-Buffering', 'no')
  res.flushHeaders()
  const life = setTimeout(() => res.end(), STREAM_LIFE_MS).unref()
  res.once('close', () => clearTimeout(life))
  follow(res)
}

/** A path that exists says which methods it has, instead of that it does not exist. */
function refuseOtherMethods<C>(router: Router, table: Table<C>, path: string): void {
  const methods = Object.values(table)
    .filter((row) => row.path === path)
    .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
  router.all(path, loggedRoute(path), (_req, res) => {
    res.setHeader('Allow', methods.join(', '))
    res.status(405).json({ errors: [`method: this path takes ${methods.join(', ')}`] })
  })
}
