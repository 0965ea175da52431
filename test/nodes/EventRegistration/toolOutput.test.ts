// Protects the output for an agent: as its tool, the node applies the choice of output, and elsewhere it applies Simplify.
import { EventRegistration } from '../../../nodes/EventRegistration/EventRegistration.node';
import { locateById } from '../../support/locators';
import { runNode } from '../../support/workflow';
import { demoIds } from './demoIds';
import { useResource } from './resourceRig';

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

const runAsTool = async (parameters: object, input: object[] = [{}], nodeSettings = {}) =>
	await runNode(
		{ ...rig.kit, nodes: { ...rig.kit.nodes, eventRegistrationTool: EventRegistrationTool } },
		'eventRegistrationTool',
		{ resource: 'registration', operation: 'get', ...registrationLocators, ...parameters },
		input as never,
		nodeSettings,
	);

it('a tool outputs the simplified record by default, and ignores Simplify', async () => {
	const { outputItems } = await run('get', registrationLocators);
	expect((await runAsTool({})).outputItems).toEqual(outputItems);
	expect((await runAsTool({ simplify: false })).outputItems).toEqual(outputItems);
});

it('a tool outputs the whole record if the output is raw', async () => {
	const { outputItems } = await run('get', { ...registrationLocators, simplify: false });
	expect((await runAsTool({ output: 'raw' })).outputItems).toEqual(outputItems);
	expect((await runAsTool({ output: 'raw', selectedFields: ['Email'] })).outputItems).toEqual(
		outputItems,
	);
});

it('a tool outputs the selected fields, even the type name, which needs a lookup', async () => {
	const { outputItems } = await run('get', registrationLocators);
	const { Email, RegistrationType } = outputItems[0]!;
	expect(RegistrationType).toEqual(expect.any(String));
	const selection = { output: 'selectedFields', selectedFields: ['RegistrationType', 'Email'] };
	expect((await runAsTool(selection)).outputItems).toEqual([{ RegistrationType, Email }]);
	expect((await runAsTool({ ...selection, selectedFields: [] })).outputItems).toEqual(outputItems);
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

it('the node ignores the choice of output if it is not a tool', async () => {
	const { outputItems } = await run('get', registrationLocators);
	const parameters = {
		...registrationLocators,
		output: 'selectedFields',
		selectedFields: ['Email'],
	};
	expect((await run('get', parameters)).outputItems).toEqual(outputItems);
});
