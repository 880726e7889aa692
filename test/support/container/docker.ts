/**
 * A Docker of the test's own, with the images that the compose files name: made of Debian's packages, because a test fetches nothing
 * from Docker Hub. nginx and PostgreSQL are those of Debian 13, whose versions are close to what the files name.
 */
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '../eventually.ts'
import { ranProgram, type Starting, startedProgram } from '../processes.ts'
import { AUTHORITIES, bareDebian, installNode, run } from './debian.ts'

export interface Docker {
  /** Resolves with what `docker` prints. Rejects when it ends with an error. */
  docker(args: readonly string[], starting?: Omit<Starting, 'user'>): Promise<string>
  stop(): Promise<void>
}

/** @param folder for everything that is made; needs some gigabytes */
export async function startDocker(folder: string): Promise<Docker> {
  const socket = join(folder, 'docker.sock')
  const places = [
    '--data-root',
    join(folder, 'docker'),
    '--exec-root',
    join(folder, 'run'),
    '--host',
    `unix://${socket}`,
  ]
  const daemon = startedProgram('dockerd', [...places, '--pidfile', join(folder, 'pid')])
  let log = ''
  daemon.stderr!.on('data', (chunk: Buffer) => (log += String(chunk)))
  const docker: Docker['docker'] = async (args, { cwd = folder, env = {}, showsKeys = false } = {}) => {
    const inherited = { ...process.env, DOCKER_HOST: `unix://${socket}`, ...env }
    const { code, stdout, stderr } = await ranProgram('docker', args, { cwd, env: inherited, showsKeys })
    expect(code, `docker ${args.join(' ')}: ${stdout}${stderr}`).to.equal(0)
    return stdout
  }
  await eventually(() => {
    expect(daemon.exitCode, log).to.equal(null)
    return docker(['version'])
  })
  return {
    docker,
    async stop() {
      const gone = once(daemon, 'exit')
      daemon.kill('SIGTERM')
      await gone
    },
  }
}

/** Makes the images that the files for containers start from. */
export async function makeImages(folder: string, docker: Docker['docker']): Promise<void> {
  const imported = async (root: string, image: string, ...changes: string[]) => {
    const archive = join(folder, 'image.tar')
    run('tar', ['-c', '-f', archive, '-C', root, '.'])
    await docker(['import', ...changes.flatMap((change) => ['--change', change]), archive, image])
    rmSync(archive)
  }
  const node = join(folder, 'node')
  bareDebian(node)
  installNode(node, { node: 24, npm: 11 })
  const authorities = process.env.NODE_EXTRA_CA_CERTS ? [`ENV NODE_EXTRA_CA_CERTS=${AUTHORITIES}`] : []
  await imported(node, 'node:24-bookworm-slim', 'ENV PATH=/usr/local/bin:/usr/bin:/bin', ...authorities)
  const servers = join(folder, 'servers')
  bareDebian(servers, { suite: 'trixie', include: ['nginx', 'postgresql-17'] })
  rmSync(join(servers, 'etc/nginx/sites-enabled/default'))
  mkdirSync(join(servers, 'usr/local/bin'), { recursive: true })
  cpSync(join(import.meta.dirname, 'as-postgres.sh'), join(servers, 'usr/local/bin/as-postgres'))
  await imported(servers, 'nginx:1.28-bookworm', 'CMD ["nginx", "-g", "daemon off;"]')
  await imported(servers, 'postgres:17-bookworm', 'CMD ["sh", "/usr/local/bin/as-postgres"]')
}
