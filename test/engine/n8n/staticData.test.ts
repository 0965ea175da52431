import { Workflow } from 'n8n-workflow';

import { serializedOnSave } from '../../../nodes/engine/n8n/staticData';
import { nodeTypeOf } from '../../support/workflow';
import { createKit } from './engine';

it("n8n's static data detects an assignment, and serializedOnSave provides the value when n8n saves", () => {
	const type = () => nodeTypeOf(createKit({}), 'start');
	const workflow = new Workflow({
		id: 'test',
		active: false,
		nodes: [],
		connections: {},
		nodeTypes: { getByName: type, getByNameAndVersion: type, getKnownTypes: () => ({}) },
	});
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
