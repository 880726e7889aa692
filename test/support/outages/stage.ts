/** What a journey needs: the service, its store, what stands in front of it, and a sender with its receivers. */
import { createSender, type Sender } from '../load/sender.ts'
import { type Subscribed, subscribed } from '../load/subscribed.ts'
import { type Nginx, nginxBefore } from '../network/nginx.ts'
import { aPostgres, type TestPostgres } from '../store/postgres/a-postgres.ts'
import { type Instances, keptUp } from './instances.ts'

export interface StageOptions {
  /** Two instances on a PostgreSQL of its own, or one on a folder. */
  store: { kind: 'postgres' } | { kind: 'sqlite'; folder: string }
  /** Behind nginx; else the instances are asked in turn. */
  behindNginx: boolean
}

export interface Stage {
  instances: Instances
  /** Null where the store is a folder. */
  postgres: TestPostgres | null
  nginx: Nginx | null
  sender: Sender
  subscriptions: Subscribed
  /** Where the store is, as `--data` takes it, and the environment of commands on it. */
  data: string
  environment: Record<string, string>
  end(): Promise<void>
}

/** @param now says where the journey is, for what is told of instances that end */
export async function setUp({ store, behindNginx }: StageOptions, now: () => string): Promise<Stage> {
  const ends: (() => Promise<void>)[] = []
  const end = async () => {
    for (const one of ends.splice(0).reverse()) await one()
  }
  try {
    const postgres = store.kind === 'postgres' ? await aPostgres() : null
    if (postgres) ends.push(postgres.stop)
    const data = store.kind === 'postgres' ? await postgres!.database() : store.folder
    const environment: Record<string, string> = postgres ? { COUNTERSIGN_MASTER_KEY: MASTER_KEY } : {}
    const args = ['--data', data, '--sandbox', '--seed', 'demo', '--allow-http-webhooks', '--trust-proxy', '127.0.0.1']
    const instances = await keptUp(postgres ? 2 : 1, args, environment, now)
    ends.push(instances.end)
    const nginx = behindNginx ? await nginxBefore(instances.ports) : null
    if (nginx) ends.push(nginx.stop)
    const sender = createSender({
      baseUrls: nginx ? [nginx.baseUrl] : instances.baseUrls,
      key: instances.key,
      ...(nginx && { authority: nginx.authority }),
    })
    ends.push(async () => sender.close())
    const subscriptions = await subscribed(sender, REFUSED_ONE_IN)
    ends.push(subscriptions.stop)
    return { instances, postgres, nginx, sender, subscriptions, data, environment, end }
  } catch (failure) {
    await end()
    throw failure
  }
}

/** One event in this number is refused when it first comes, so that there is a queue when the subscription is changed. */
const REFUSED_ONE_IN = 6
const MASTER_KEY = Buffer.alloc(32, 11).toString('base64')
