/** Every node over deploys and the end of the runtime, with roots that operators use. `npm run test:long` takes every pair. */
import { worksOverDeploys } from '../support/node-red/under-fire/works-over-deploys.ts'

worksOverDeploys({ adminRoot: '/admin', nodeRoot: '/api' })
