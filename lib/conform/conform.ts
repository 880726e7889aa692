/** Tries all rules on a host, one after the other, and cleans up. It signs nothing. */
import { cleanUp, type LeftOver } from './clean-up.ts'
import type { Exchange, Host } from './host.ts'
import type { Rule } from './rule.ts'
import type { Stage } from './stage/stage.ts'
import { Deviation, NotTried } from './verdict.ts'

export type Result = 'holds' | 'deviates' | 'not tried'

export interface Finding extends Omit<Rule, 'attempt'> {
  result: Result
  /** Why it does not hold, or could not be tried. */
  why: string | null
  exchanges: readonly Exchange[]
}

export interface Conformance {
  findings: Finding[]
  left: LeftOver
}

/** @param tell is called with each finding as it is made */
export async function conform(
  host: Host,
  stage: Stage,
  rules: readonly Rule[],
  tell: (finding: Finding) => void = () => {},
): Promise<Conformance> {
  const findings: Finding[] = []
  for (const rule of rules) {
    const finding = await tried(rule, host, stage)
    findings.push(finding)
    tell(finding)
  }
  return { findings, left: await cleanUp(host, stage) }
}

async function tried({ attempt, ...rule }: Rule, host: Host, stage: Stage): Promise<Finding> {
  const before = host.exchanges.length
  const outcome = await attempt(host, stage).then(
    () => ({ result: 'holds', why: null }) as const,
    (failure: unknown) => {
      if (failure instanceof Deviation) return { result: 'deviates', why: failure.message } as const
      if (failure instanceof NotTried) return { result: 'not tried', why: failure.message } as const
      throw failure
    },
  )
  return { ...rule, ...outcome, exchanges: host.exchanges.slice(before) }
}
