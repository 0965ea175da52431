// n8n finds the nodes and credentials through the "n8n" attribute of package.json; nothing is loaded from here.
module.exports = {};
