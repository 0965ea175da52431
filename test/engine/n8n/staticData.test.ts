// Protects what triggers remember over a restart: n8n saves their state, and the pack sees when it is in the database.
import { Workflow } from 'n8n-workflow';

import {
	canObserveSaves,
	observeSaves,
	serializedOnSave,
} from '../../../nodes/engine/n8n/staticData';
import { nodeTypeOf } from '../../support/workflow';
import { createKit } from './engine';
import { itWithN8n, runInN8n } from './installed';

function createWorkflow(): Workflow {
	const type = () => nodeTypeOf(createKit({}), 'start');
	return new Workflow({
		id: 'test',
		active: false,
		nodes: [],
		connections: {},
		nodeTypes: { getByName: type, getByNameAndVersion: type, getKnownTypes: () => ({}) },
	});
}

it("n8n's static data detects an assignment, and serializedOnSave provides the value when n8n saves", () => {
	const workflow = createWorkflow();
	const data = workflow.getStaticData('global');
	let count = 1;
	data.node = serializedOnSave({ version: 1 }, () => ({ version: 1, count }));
	expect(workflow.staticData.__dataChanged).toBe(true);
	count = 2;
	expect(data.node).toEqual({ version: 1 });
	expect(JSON.parse(JSON.stringify(workflow.staticData))).toEqual({
		global: { node: { version: 1, count: 2 } },
	});
});

it('observeSaves reports when n8n reads the mark of changed data and when it resets it', () => {
	const workflow = createWorkflow();
	const context = { workflow };
	const events: string[] = [];
	observeSaves(
		context,
		() => events.push('begin'),
		() => events.push('end'),
	);
	expect([canObserveSaves(context), canObserveSaves({})]).toEqual([true, false]);
	expect(workflow.staticData.__dataChanged).toBe(false);
	workflow.getStaticData('global').node = { version: 1 };
	expect(canObserveSaves(context)).toBe(true);
	expect(events).toEqual([]);
	expect(workflow.staticData.__dataChanged).toBe(true);
	expect(JSON.parse(JSON.stringify(workflow.staticData))).toEqual({
		global: { node: { version: 1 } },
	});
	expect(events).toEqual(['begin']);
	workflow.staticData.__dataChanged = false;
	expect(events).toEqual(['begin', 'end']);
	expect(workflow.staticData.__dataChanged).toBe(false);
});

itWithN8n('n8n resets the mark of changed data once the write has succeeded, and only then', () => {
	const save = (execute: string) =>
		runInN8n(`
			const { WorkflowStaticDataService: Service } = load('./dist/workflows/workflow-static-data.service.js');
			const events = [];
			const query = new Proxy({}, { get: (_, name) => name === 'execute' ? ${execute} : () => query });
			const ignore = { error() {} };
			const service = new Service(ignore, ignore, { createQueryBuilder: () => query });
			const staticData = new Proxy({ __dataChanged: true }, {
				get: (target, name) => (name === '__dataChanged' && events.push('read'), target[name]),
				set: (target, name, value) => (events.push(\`set \${value}\`), (target[name] = value), true),
			});
			await service.saveStaticData({ id: 'w', staticData });
			return events;
		`);
	expect(save("async () => events.push('written')")).toEqual(['read', 'written', 'set false']);
	expect(save("async () => { throw new Error('The database is busy'); }")).toEqual(['read']);
});
