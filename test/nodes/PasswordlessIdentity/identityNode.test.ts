// Protects the node in n8n: agents read a description of each operation, tokens are marked sensitive, requests are signed.
import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodePropertyOptions } from 'n8n-workflow';

import { PasswordlessIdentity } from '../../../nodes/PasswordlessIdentity/PasswordlessIdentity.node';
import { service } from '../../../nodes/PasswordlessIdentity/service';
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import { verifies } from '../../sandbox/passwordlessIdentity.fixture';
import { sendJson } from '../../support/toy';
import { openIdentityRig } from './identityRig';
import type { IdentityRig } from './identityRig';

const { description } = new PasswordlessIdentity();
let rig: IdentityRig;
beforeAll(async () => {
	rig = await openIdentityRig();
});
afterAll(async () => await rig.close());

it('every operation but Wait Until Finished is a request, and no text names an HTTP method', () => {
	const operations = Object.values(service.resources).flatMap(({ operations }) =>
		Object.values(operations),
	);
	expect(operations.filter(({ request }) => !request).map(({ name }) => name)).toEqual([
		'Wait Until Finished',
	]);
	const texts = operations.flatMap(({ name, action, description: text }) => [name, action, text]);
	expect(texts.filter((text) => /\b(GET|POST|PUT|PATCH|DELETE|HEAD|HTTP)\b/.test(text))).toEqual(
		[],
	);
});

it('the node marks the field token as sensitive, but not the field secret, which is shown only once', () => {
	expect(description.sensitiveOutputFields).toContain('token');
	expect(description.sensitiveOutputFields).not.toContain('secret');
});

describe('the node as an AI tool', () => {
	it('the tool has a different description for each operation', () => {
		expect(description.usableAsTool).toBe(true);
		const operations = description.properties.filter(({ name }) => name === 'operation');
		const toolDescriptions = operations.flatMap(({ options, displayOptions }) =>
			(options as INodePropertyOptions[]).map(({ value }) => {
				const [resource] = displayOptions!.show!.resource as string[];
				const node = { parameters: { resource, operation: value } } as unknown as INode;
				return NodeHelpers.getToolDescriptionForNode(node, new PasswordlessIdentity());
			}),
		);
		const operationNames = Object.values(service.resources).flatMap((resource) =>
			Object.keys(resource.operations),
		);
		expect(toolDescriptions).toHaveLength(operationNames.length);
		expect(new Set(toolDescriptions).size).toBe(toolDescriptions.length);
		for (const text of toolDescriptions) expect(text).toMatch(/(key|login|scope job)/i);
	});

	it('the tool accepts the values that a model fills in', async () => {
		const { user } = rig.sandbox.demo;
		const parameters = {
			subject: "={{ $fromAI('person', 'Whom to ask', 'string') }}",
			scopes: {
				entries: [
					{ name: 'other', other: "={{ $fromAI('scopes', 'What to ask for', 'string') }}" },
				],
			},
		};
		const { outputItems, error } = await rig.operate('scopeJob', 'issue', parameters, [
			{ person: user.fingerprint, scopes: 'email~r, profile' },
		]);
		expect(error).toBeUndefined();
		expect(outputItems).toMatchObject([{ subject: user.fingerprint, outcome: 'outstanding' }]);
		expect(rig.sandbox.control('passwordlessIdentity', 'jobs', {})).toMatchObject([
			{ scope: 'email~r profile' },
		]);
	});
});

describe('signing of requests', () => {
	it('the private key is imported once for all items', async () => {
		const importKey = jest.spyOn(crypto.subtle, 'importKey');
		const server = await rig.startToy();
		server.respondWith((_, response) => sendJson(response, 201, { job: 'j', status: 'waiting' }));
		rig.changeCredential({ baseUrl: server.url });
		const subject = rig.sandbox.demo.user.fingerprint;
		/** Issues this many jobs. Returns how often a signing key was imported. */
		const countKeyImports = async (count: number) => {
			importKey.mockClear();
			const { outputItems } = await rig.operate(
				'scopeJob',
				'issue',
				{ subject },
				Array.from({ length: count }, (_, n) => ({ n })),
			);
			expect(outputItems).toHaveLength(count);
			return importKey.mock.calls.filter(([, , , , usages]) => [...usages].includes('sign')).length;
		};
		const importsForOneItem = await countKeyImports(1);
		expect(importsForOneItem).toBeGreaterThan(0);
		expect(await countKeyImports(25)).toBe(importsForOneItem);
		importKey.mockRestore();
		rig.changeCredential({});
	});

	it("requests are signed with the credential's key, and have no authorization header", async () => {
		const server = await rig.startToy();
		server.respondWith((_, response) => sendJson(response, 201, { status: 'registered' }));
		const key = deriveDemoKey('signer');
		rig.changeCredential({ baseUrl: server.url, privateKey: key.privatePem });
		const output = await rig.getOutput('key', 'register');
		const { body, headers } = server.requests[0]!;
		expect(verifies(body, key.fingerprint)).toBe(true);
		expect(headers).not.toHaveProperty('authorization');
		expect(output).toMatchObject({ status: 'registered', fingerprint: key.fingerprint });
		rig.changeCredential({});
	});
});
