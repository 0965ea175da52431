import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { runNode } from '../../support/workflow';
import { useResource } from './registrationFixture';
import { byId, known } from './samples';

// As an agent's tool, the node offers how much of each record it returns; elsewhere it has Simplify.

const { rig, run } = useResource('registration', { registrations: 30 });
const one = { eventId: byId(known.eventId), registrationId: byId(known.registrationId) };

/** The node as n8n offers it to agents. */
class EventRegistrationTool extends EventRegistration {
	constructor() {
		super();
		this.description = { ...this.description, name: 'eventRegistrationTool' };
	}
}

const asTool = async (parameters: object, input: object[] = [{}], settings = {}) =>
	await runNode(
		{ ...rig.kit, nodes: { ...rig.kit.nodes, eventRegistrationTool: EventRegistrationTool } },
		'eventRegistrationTool',
		{ resource: 'registration', operation: 'get', ...one, ...parameters },
		input as never,
		settings,
	);

it('a tool outputs the simplified record by default, whatever Simplify says', async () => {
	const { outputItems } = await run('get', one);
	expect((await asTool({})).outputItems).toEqual(outputItems);
	expect((await asTool({ simplify: false })).outputItems).toEqual(outputItems);
});

it('a tool outputs the whole response if that is chosen', async () => {
	const { outputItems } = await run('get', { ...one, simplify: false });
	expect((await asTool({ output: 'raw' })).outputItems).toEqual(outputItems);
	expect((await asTool({ output: 'raw', selectedFields: ['Email'] })).outputItems).toEqual(
		outputItems,
	);
});

it('a tool outputs the selected fields, including one that is looked up', async () => {
	const { outputItems } = await run('get', one);
	const { Email, RegistrationType } = outputItems[0]!;
	expect(RegistrationType).toEqual(expect.any(String));
	const selected = { output: 'selectedFields', selectedFields: ['RegistrationType', 'Email'] };
	expect((await asTool(selected)).outputItems).toEqual([{ RegistrationType, Email }]);
	expect((await asTool({ ...selected, selectedFields: [] })).outputItems).toEqual(outputItems);
});

it('a tool does not change the output for a failure', async () => {
	const { outputItems } = await asTool(
		{
			registrationId: byId('={{ $json.id }}'),
			output: 'selectedFields',
			selectedFields: ['Email'],
		},
		[{ id: known.registrationId }, { id: 1 }],
		{ onError: 'continueRegularOutput' },
	);
	expect(outputItems).toEqual([{ Email: expect.any(String) }, { error: expect.any(String) }]);
});

it('the choice of output does not exist outside of agents', async () => {
	const { outputItems } = await run('get', one);
	const given = { ...one, output: 'selectedFields', selectedFields: ['Email'] };
	expect((await run('get', given)).outputItems).toEqual(outputItems);
});
