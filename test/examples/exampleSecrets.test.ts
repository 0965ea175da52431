// Protects people who import an example: it contains no secret, no ID of a credential and no address except the sandbox.
import { createDemo } from '../../sandbox/demoIdentities';
import { packServices } from '../support/pack';
import {
	exampleFileNames,
	openExample,
	packDescriptions,
	readExampleText,
	credentialTypeByNode,
} from './exampleFiles';

const credentialTypes = packServices.map(({ Credential }) => new Credential().name);
const demo = createDemo();
const secrets = [
	demo.application.privateJwk.d,
	...[demo.user, demo.manager, demo.finance, demo.deputy].map(({ privateJwk }) => privateJwk.d),
	...demo.application.privatePem.split('\n').filter((line) => line && !line.startsWith('-----')),
	demo.twoFactor.apiKey,
	demo.eventData.apiKey,
	demo.eventRegistration.apiKey,
];

describe.each(exampleFileNames)('%s', (file) => {
	const { workingNodes, packNodes } = openExample(file);

	test('names credentials by type, without an ID or a secret', () => {
		const text = readExampleText(file);
		expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
		expect(text).not.toMatch(/PRIVATE KEY|\beyJ[\w-]{10,}\.|"(password|apiKey|privateKey|secret)"/);
		for (const { type, credentials = {} } of workingNodes.filter(
			(node) => !credentialTypeByNode.has(node.type),
		)) {
			const expectedTypes = (packDescriptions.get(type)?.credentials ?? []).map(({ name }) => name);
			expect(Object.keys(credentials)).toEqual(expectedTypes);
			expect(credentialTypes).toEqual(expect.arrayContaining(expectedTypes));
			for (const credential of Object.values(credentials)) {
				expect(credential).toEqual({ id: null, name: expect.stringMatching(/ \(sandbox\)$/) });
			}
		}
	});

	test('contains no host name but its own', () => {
		const text = readExampleText(file);
		const addresses = [...text.matchAll(/https?:\/\/[^\s"')\\]+/g)].map(([address]) => address);
		const sandboxAddresses = ['phone?user=guest', 'phone?user=manager', 'phones', 'desk'].map(
			(page) => `http://127.0.0.1:4010/${page}`,
		);
		expect(addresses.filter((address) => !sandboxAddresses.includes(address))).toEqual([]);
		expect(text).not.toMatch(/\/(home|root|tmp|Users|work)\//);
	});

	test('names those who decide if it asks for an approval, and the manager in no other case', () => {
		const text = readExampleText(file);
		if (text.includes('severalPeople')) {
			expect(text).toContain('4010/phones)');
			for (const { name, email } of [demo.manager, demo.finance]) {
				expect(text).toContain(name);
				expect(text).not.toContain(email);
			}
			return;
		}
		const hasOperation = (operation: RegExp) =>
			packNodes.some(({ parameters }) => operation.test(`${parameters.operation as string}`));
		const { user, manager } = demo;
		if (hasOperation(/^(create|sendAndWait)$/) && text.includes('approvalRequest')) {
			expect(text).toContain(manager.email);
			expect(text).toContain('phone?user=manager');
			expect(text).not.toContain(user.email);
		} else expect(text).not.toContain(manager.email);
	});
});
