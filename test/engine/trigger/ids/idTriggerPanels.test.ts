// Protects users of the ID triggers' panels: fields and webhook fit the settings, and invalid settings prevent the start.
import 'reflect-metadata';
import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PasswordlessIdentity } from '../../../../nodes/PasswordlessIdentity/PasswordlessIdentity.node';
import { PasswordlessIdentityTrigger } from '../../../../nodes/PasswordlessIdentity/PasswordlessIdentityTrigger.node';
import { TwoFactor } from '../../../../nodes/TwoFactor/TwoFactor.node';
import { TwoFactorTrigger } from '../../../../nodes/TwoFactor/TwoFactorTrigger.node';
import { TriggerHost } from '../support/host';
import type { TriggerName } from '../support/host';

const unreachableServices = {
	credentials: {
		passwordlessIdentityApi: { baseUrl: 'http://127.0.0.1:1' },
		twoFactorApi: { baseUrl: 'http://127.0.0.1:1', apiKey: 'key' },
	},
};

const triggers = [
	['PasswordlessIdentityTrigger', new PasswordlessIdentityTrigger(), new PasswordlessIdentity()],
	['TwoFactorTrigger', new TwoFactorTrigger(), new TwoFactor()],
] as Array<[string, INodeType, INodeType]>;

/** Lists every field, those in collections and rows included. */
const listFields = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [
		property,
		...(property.options ?? []).flatMap((option) => {
			if ('values' in option) return listFields(option.values);
			return 'type' in option ? listFields([option]) : [];
		}),
	]);

const openHosts: TriggerHost[] = [];
/** Creates a host that is closed after the test. */
const createHost = (type: TriggerName, parameters: INodeParameters): TriggerHost => {
	const host = new TriggerHost(unreachableServices, [{ type, parameters }]);
	openHosts.push(host);
	return host;
};
// A host that has started listens for the calls of its webhook.
afterEach(async () => {
	for (const host of openHosts.splice(0)) await host.close();
});

describe.each(triggers)('%s', (className, trigger, serviceNode) => {
	const { description } = trigger;
	const findProperty = (name: string) =>
		description.properties.find((candidate) => candidate.name === name)!;
	const hasRows = findProperty('ids').type === 'fixedCollection';
	/** Creates a host with this trigger; `ids` are put into a row if the trigger has rows. */
	const createTriggerHost = ({ ids, ...otherParameters }: INodeParameters) => {
		const enteredIds = ids === undefined ? {} : { ids: hasRows ? { rows: [{ ids }] } : ids };
		const parameters = { ...enteredIds, options: { checkEvery: 1 }, ...otherParameters };
		return createHost(description.name as TriggerName, parameters);
	};

	/** Lists the names of the properties that the panel shows, in its order. */
	const listShownFields = (parametersInPanel: INodeParameters): string[] => {
		const [node] = Object.values(createTriggerHost(parametersInPanel).workflow().nodes);
		const { parameters } = node!;
		return description.properties
			.filter(
				(candidate) =>
					candidate.type !== 'hidden' &&
					NodeHelpers.displayParameter(parameters, candidate, node!, description),
			)
			.map(({ name }) => name);
	};

	it('is a valid trigger for n8n, beside the node of its service', () => {
		expect(description.name).toBe(`${serviceNode.description.name}Trigger`);
		expect(description.displayName).toBe(`${serviceNode.description.displayName} Trigger`);
		expect(description).toMatchObject({ inputs: [], group: ['trigger'] });
		expect(description).not.toHaveProperty('usableAsTool');
		expect(description.icon).toEqual(serviceNode.description.icon);
		expect(description.credentials).toEqual(serviceNode.description.credentials);
		expect(Object.keys(trigger.methods!.credentialTest!)).toEqual(
			Object.keys(serviceNode.methods!.credentialTest!),
		);
	});

	it('has a codex file that n8n reads', () => {
		const folder = description.name.startsWith('two') ? 'TwoFactor' : 'PasswordlessIdentity';
		const file = join(__dirname, `../../../../nodes/${folder}/${className}.node.json`);
		const codex = JSON.parse(readFileSync(file, 'utf8'));
		expect(codex.node).toBe(`n8n-nodes-gatehouse.${description.name}`);
		expect(codex.resources.primaryDocumentation).toHaveLength(1);
		expect(codex.alias.length).toBeGreaterThan(3);
	});

	it.each([
		[true, 'POST', 'somewhere'],
		[false, '', 'watch'],
	])('has a webhook only if the user switched it on: %s', async (acceptNewIds, method, path) => {
		const workflow = createTriggerHost({ acceptNewIds, path }).workflow();
		const [node] = Object.values(workflow.nodes);
		const [webhook] = description.webhooks!;
		const evaluate = (text: string) =>
			workflow.expression.getSimpleParameterValue(node!, text, 'internal', {});
		expect(evaluate(webhook!.httpMethod)).toBe(method);
		expect(evaluate(webhook!.ndvHideUrl as string)).toBe(!acceptNewIds);
		if (acceptNewIds) expect(evaluate(webhook!.path)).toBe(path);
	});

	it.each<[INodeParameters, boolean, string]>([
		[{}, true, 'POST'],
		[{}, false, 'POST'],
		[{ ids: 'a' }, true, 'POST'],
		[{ ids: 'a' }, false, ''],
		[{ ids: '={{ ["a"] }}' }, false, ''],
		[{ ids: ' ' }, false, 'POST'],
		[{ acceptNewIds: false }, true, ''],
		[{ acceptNewIds: false, ids: 'a' }, false, ''],
	])(
		'with the parameters %j (published: %s) has the webhook method %j',
		(parameters, active, method) => {
			const workflow = createTriggerHost(parameters).workflow();
			workflow.active = active;
			const [node] = Object.values(workflow.nodes);
			const [webhook] = description.webhooks!;
			expect(
				workflow.expression.getSimpleParameterValue(node!, webhook!.httpMethod, 'internal', {}),
			).toBe(method);
		},
	);

	it('explains in two steps how it is connected, and has one action for each outcome', () => {
		const [notice, outcomesField] = description.properties;
		expect(notice).toMatchObject({ type: 'notice' });
		expect(notice!.displayName).toMatch(
			/Step 1: publish.*Step 2: in .*'Trigger' and choose this trigger/,
		);
		expect(notice!.displayName.match(/<\/?(?!(a|ul|li)>)\w+[^>]*>/g)).toBeNull();
		// n8n's nodes panel finds the actions by these words.
		expect(outcomesField).toMatchObject({ displayName: 'Trigger On', name: 'outcomes' });
		const actions = outcomesField!.options!.map((option) => 'action' in option && option.action);
		expect(actions).toHaveLength(outcomesField!.options!.length);
		for (const action of actions)
			expect(action).toMatch(/^On (approval request|scope job) [a-z ]+$/);
	});

	it('starts with its default parameters', async () => {
		const host = createTriggerHost({});
		await host.start();
		await host.stop();
	});

	it('needs no registration of its webhook at the service', async () => {
		const { checkExists, create } = trigger.webhookMethods!.default!;
		const editor = { getActivationMode: () => 'manual' };
		for (const method of [checkExists, create]) {
			expect(await method.call(editor as never)).toBe(true);
		}
	});

	it('starts the workflow for every outcome by default, including those that all ID triggers have', () => {
		const { options, default: chosen } = findProperty('outcomes');
		const values = options!.map((option) => ('value' in option ? option.value : ''));
		expect(chosen).toEqual(values);
		expect(values).toEqual(expect.arrayContaining(['gone', 'stillOutstanding']));
	});

	it('polls every 2 seconds with 10 requests at a time, and watches up to 10,000 IDs, by default', () => {
		const options = findProperty('options').options as INodeProperties[];
		const defaults = Object.fromEntries(options.map((option) => [option.name, option.default]));
		expect(defaults).toMatchObject({ checkEvery: 2, requestsAtATime: 10, mostWatched: 10_000 });
		const intervalField = options.find(({ name }) => name === 'checkEvery')!;
		expect(intervalField.typeOptions).toMatchObject({ minValue: 1, maxValue: 3 });
	});

	it("describes every field, in n8n's style", () => {
		for (const field of listFields(description.properties)) {
			if (['notice', 'collection'].includes(field.type)) continue;
			expect([field.name, field.description]).toEqual([field.name, expect.stringMatching(/\S/)]);
			expect(field.description).not.toMatch(/\.$/.test(field.description!) ? /^[^.]*\.$/ : /\. /);
			if (field.type === 'boolean') expect(field.description).toMatch(/^Whether /);
			if (field.placeholder && field.type === 'string')
				expect(field.placeholder).toMatch(/^e\.g\. /);
		}
	});

	it('rejects callers from outside by default, and shows the option to accept them if it has a webhook', () => {
		const anybody = findProperty('acceptFromAnybody');
		expect(anybody).toMatchObject({ default: false, noDataExpression: true });
		expect(listShownFields({ fromOtherApps: true })).toContain('acceptFromAnybody');
		expect(listShownFields({ fromOtherApps: true, acceptNewIds: false })).not.toContain(
			'acceptFromAnybody',
		);
		// If the option is on but not shown, the panel says so.
		expect(listShownFields({ acceptFromAnybody: true })).toContain('openNotice');
		expect(listShownFields({})).not.toContain('openNotice');
		expect(listShownFields({ acceptFromAnybody: true, fromOtherApps: true })).not.toContain(
			'openNotice',
		);
	});

	it('has the settings for other apps below one switch at the end of the panel', () => {
		const otherAppFields = ['path', 'acceptFromAnybody', 'webhookNotice'];
		const defaultFields = listShownFields({});
		expect(defaultFields[0]).toBe('connectNotice');
		expect(defaultFields.at(-1)).toBe('fromOtherApps');
		expect(defaultFields).not.toEqual(expect.arrayContaining(otherAppFields.slice(0, 1)));
		expect(defaultFields).not.toContain('webhookNotice');
		expect(listShownFields({ fromOtherApps: true }).slice(defaultFields.length)).toEqual(
			otherAppFields,
		);
		expect(listShownFields({ acceptNewIds: false })).not.toContain('fromOtherApps');
	});

	it('keeps the saved path and access of a workflow in which the switch for other apps is off', () => {
		const stored = { path: 'somewhere', acceptFromAnybody: true };
		const [node] = Object.values(createTriggerHost(stored).workflow().nodes);
		expect(node!.parameters).toMatchObject({ ...stored, fromOtherApps: false });
	});

	it('explains in the panel how to post an ID', () => {
		const notice = findProperty('webhookNotice');
		// n8n's notices keep only these HTML tags.
		expect(notice.displayName.match(/<\/?(?!(a|ul|li)>)\w+[^>]*>/g)).toBeNull();
		const curlCommand = /<li>(curl .*?)<\/li>/.exec(notice.displayName)![1]!;
		for (const part of ['POST', 'Content-Type: application/json', 'X-Gatehouse-Secret: ']) {
			expect(curlCommand).toContain(part);
		}
		const body = / -d "(.*)"$/.exec(curlCommand)![1]!.replaceAll('\\', '');
		expect(JSON.parse(body)).toEqual({ ids: ['ID'] });
	});

	it.each([
		[{ acceptNewIds: false }, 'No IDs to watch: enter one, or turn on'],
		[{ ids: 'a', outcomes: [] }, 'No outcome starts the workflow'],
		[{ ids: 'a', outcomes: '={{ null }}' }, 'No outcome starts the workflow'],
		[{ ids: 'a', outcomes: "={{ 'gone, Nonsense' }}" }, '"Nonsense" is not an outcome'],
		[{ ids: 'x'.repeat(129) }, '129 characters'],
		[{ ids: [{ id: {} }] }, 'needs an ID that is a text'],
	])('does not start with %j: %s', async (parameters, message) => {
		await expect(createTriggerHost(parameters).start()).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining(message) as string,
		});
	});

	it('accepts a list of IDs from an expression', async () => {
		const hostWithIds = createTriggerHost({ ids: '={{ ["a", 12, { "id": "b" }] }}' });
		await hostWithIds.start('init');
		await hostWithIds.stop();
		expect(hostWithIds.savedIds()).toMatchObject([{ id: 'a' }, { id: '12' }, { id: 'b' }]);
	});
});

it('the expected person must be a valid fingerprint', async () => {
	const parameters = { ids: { rows: [{ ids: 'a', subject: 'Robin' }] } };
	const host = createHost('passwordlessIdentityTrigger', parameters);
	await expect(host.start()).rejects.toThrow('not a valid fingerprint');
});
