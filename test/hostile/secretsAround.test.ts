// Protects the key in a credential: errors and panels hide it, also if it was entered with white space around it.
// An invalid name of its header is reported without a request.
import type { INodeParameters } from 'n8n-workflow';

import { locateById } from '../support/locators';
import { packServices } from '../support/pack';
import { openPanel } from '../support/panel';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';
import { sendJson, startToyServer } from '../support/toy';
import type { ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';
import type { NodeKit } from '../support/workflow';

const KEY = 'sk-live-K3Y-777777';

let server: ToyServer;
let rig: Rig;
beforeAll(async () => {
	server = await startToyServer();
	rig = await openRig();
});
afterAll(async () => {
	await server.close();
	await rig.close();
});
beforeEach(() =>
	// The response contains the headers of the request.
	server.respondWith(({ headers }, response) => {
		const message = `Not with ${JSON.stringify(headers)}`;
		sendJson(response, 400, { message, Message: message, success: false });
	}),
);

/** Returns the pack's nodes with a key in every credential. */
function createKit(apiKey: string): NodeKit {
	const credentials = Object.entries(rig.kit.credentialData).map(([name, credential]) => [
		name,
		{ ...credential, baseUrl: server.url, apiKey },
	]);
	return { ...rig.kit, credentialData: Object.fromEntries(credentials) };
}

const readParametersByNode: Record<string, INodeParameters> = {
	twoFactor: { resource: 'application', operation: 'getDetails' },
	eventData: { resource: 'event', operation: 'getMany' },
	eventRegistration: { resource: 'event', operation: 'getMany' },
};

it.each(Object.entries(readParametersByNode))(
	'the error of %s hides a key that was entered with white space around it',
	async (name, parameters) => {
		const { error } = await runNode(createKit(` ${KEY}\n`), name, parameters);
		expect(error?.message).toContain('•••');
		expect(error?.message).not.toContain(KEY);
	},
);

it.each(Object.entries(readParametersByNode))(
	'the node %s reports an invalid header name without a request',
	async (name, parameters) => {
		const kit = createKit(KEY);
		for (const credential of Object.values(kit.credentialData)) credential.headerName = 'X API Key';
		const { error } = await runNode(kit, name, parameters);
		const { description } = error as { description?: string };
		expect(description).toMatch(/Check 'Header Name'.*Nothing was sent/);
		expect(description).not.toMatch(/not known|times/);
		expect(server.requests).toHaveLength(0);
	},
);

const panelParameters = {
	eventId: locateById('1'),
	contactListId: locateById('1'),
	operation: 'create',
};

const lists = packServices.flatMap(({ Node, service }) => {
	const { description, methods = {} } = new Node() as InstanceType<typeof Node> & {
		methods?: { listSearch?: object; loadOptions?: object; resourceMapping?: object };
	};
	const { listSearch = {}, loadOptions = {}, resourceMapping = {} } = methods;
	const kinds = { list: listSearch, choices: loadOptions, inputs: resourceMapping } as const;
	return Object.entries(kinds).flatMap(([kind, methodsOfKind]) =>
		Object.keys(methodsOfKind)
			// These lists send no request to the service.
			.filter((method) => !['searchCountries', 'searchPeople', 'searchTriggers'].includes(method))
			.filter(() => service.secretFields.includes('apiKey'))
			.map((method) => ({
				name: description.name,
				kind: kind as keyof typeof kinds,
				method,
			})),
	);
});

it.each(lists)('the panel of $name hides the key in $method', async ({ name, kind, method }) => {
	const panel = openPanel(createKit(KEY), name, panelParameters);
	const error = await panel[kind](method).then(
		() => undefined,
		(thrown: Error) => thrown,
	);
	expect(error?.message).toContain('•••');
	expect(error?.message).not.toContain(KEY);
});
