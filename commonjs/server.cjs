module.exports = require('./load.cjs')('server/door.js')
