/** Calls of the control room, for the organization that is chosen. */
import type { Card, CatcherState, Replay, RoomAnswer, SeedCheck, Snapshot } from '../../operations/sandbox/messages.ts'
import type { SentOrder } from '../../operations/sandbox/orders/orders.ts'
import type { ScenarioState } from '../../operations/sandbox/scenarios/scenario.ts'
import type { Exchange } from '../../operations/sandbox/traffic/exchange.ts'
import { type Cause, call, type Method, rememberOrganization } from '../shared/api.ts'

export type { Card, CatcherState, Exchange, Replay, RoomAnswer, ScenarioState, SeedCheck, SentOrder, Snapshot }

const BASE = '/sandbox/v1'

export const roomCall = <T>(method: Method, path: string, body?: unknown, cause?: Cause): Promise<T> =>
  call<T>(method, `${BASE}/${path}`, body, cause)

/** Asks by itself, which keeps no session alive. */
export const look = <T>(path: string): Promise<T> => roomCall<T>('GET', path, undefined, { isUse: false })

/** @param id null for the first one */
export const chooseOrganization = (id: number | null) => rememberOrganization(id === null ? null : String(id))
