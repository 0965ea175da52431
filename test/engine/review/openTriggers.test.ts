// Protects approvals from anyone who can call a public trigger: an expression that names the trigger's node is found.
import { namesNode } from '../../../nodes/engine/review/openTriggers';

describe('namesNode', () => {
	it.each([
		"={{ $('Webhook').first().json.user }}",
		'={{ $("Webhook").item.json.user }}',
		'={{ $(`Webhook`).item.json.user }}',
		'={{ $node["Webhook"].json.user }}',
		'={{ $node.Webhook.json.user }}',
		'={{ $node?.Webhook?.json.user }}',
		'={{ $node . Webhook }}',
	])('finds the node Webhook in %s', (expression) => {
		expect(namesNode(expression, 'Webhook')).toBe(true);
	});

	it.each([
		'={{ $node.Webhook2.json.user }}',
		'={{ $node.Webhook$.json.user }}',
		"={{ $('Webhook2').first().json.user }}",
		'={{ $json.Webhook }}',
	])('finds no node Webhook in %s', (expression) => {
		expect(namesNode(expression, 'Webhook')).toBe(false);
	});

	it('takes the characters of a name literally', () => {
		expect(namesNode('={{ $node.ab.json }}', 'a.')).toBe(false);
		expect(namesNode("={{ $('Guest\\'s form').item }}", "Guest's form")).toBe(true);
	});
});
