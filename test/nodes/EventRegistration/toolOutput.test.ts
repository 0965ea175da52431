import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { runNode } from '../../support/workflow';
import { useResource } from './registrationFixture';
import { locateById, demoIds } from './samples';

// As an agent's tool, the node offers how much of each record it returns; elsewhere it has Simplify.

const { rig, run } = useResource('registration', { registrations: 30 });
const registrationLocators = {
	eventId: locateById(demoIds.eventId),
	registrationId: locateById(demoIds.registrationId),
};

/** The node as n8n offers it to agents. */
class EventRegistrationTool extends EventRegistration {
	constructor() {
		super();
		this.description = { ...this.description, name: 'eventRegistrationTool' };
	}
}

const runAsTool = async (parameters: object, input: object[] = [{}], settings = {}) =>
	await runNode(
		{ ...rig.kit, nodes: { ...rig.kit.nodes, eventRegistrationTool: EventRegistrationTool } },
		'eventRegistrationTool',
		{ resource: 'registration', operation: 'get', ...registrationLocators, ...parameters },
		input as never,
		settings,
	);

it('a tool outputs the simplified record by default, whatever Simplify says', async () => {
	const { outputItems } = await run('get', registrationLocators);
	expect((await runAsTool({})).outputItems).toEqual(outputItems);
	expect((await runAsTool({ simplify: false })).outputItems).toEqual(outputItems);
});

it('a tool outputs the whole response if that is chosen', async () => {
	const { outputItems } = await run('get', { ...registrationLocators, simplify: false });
	expect((await runAsTool({ output: 'raw' })).outputItems).toEqual(outputItems);
	expect((await runAsTool({ output: 'raw', selectedFields: ['Email'] })).outputItems).toEqual(
		outputItems,
	);
});

it('a tool outputs the selected fields, including one that is looked up', async () => {
	const { outputItems } = await run('get', registrationLocators);
	const { Email, RegistrationType } = outputItems[0]!;
	expect(RegistrationType).toEqual(expect.any(String));
	const selected = { output: 'selectedFields', selectedFields: ['RegistrationType', 'Email'] };
	expect((await runAsTool(selected)).outputItems).toEqual([{ RegistrationType, Email }]);
	expect((await runAsTool({ ...selected, selectedFields: [] })).outputItems).toEqual(outputItems);
});

it('a tool outputs failures unchanged', async () => {
	const { outputItems } = await runAsTool(
		{
			registrationId: locateById('={{ $json.id }}'),
			output: 'selectedFields',
			selectedFields: ['Email'],
		},
		[{ id: demoIds.registrationId }, { id: 1 }],
		{ onError: 'continueRegularOutput' },
	);
	expect(outputItems).toEqual([{ Email: expect.any(String) }, { error: expect.any(String) }]);
});

it('the choice of output exists only for agents', async () => {
	const { outputItems } = await run('get', registrationLocators);
	const given = { ...registrationLocators, output: 'selectedFields', selectedFields: ['Email'] };
	expect((await run('get', given)).outputItems).toEqual(outputItems);
});
