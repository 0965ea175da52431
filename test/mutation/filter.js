const { selectTests } = require('./plan');

module.exports = selectTests;
