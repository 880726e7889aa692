/** `npm run test:long`: every node over deploys, with the roots that `npm test` leaves out. */
import { worksOverDeploys } from '../../support/node-red/under-fire/works-over-deploys.ts'

worksOverDeploys({ adminRoot: '/', nodeRoot: '/' })
worksOverDeploys({ adminRoot: '/', nodeRoot: '/api' })
worksOverDeploys({ adminRoot: '/admin', nodeRoot: '/' })
