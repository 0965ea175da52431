import { apply, changesIn, customFields, onError, person } from './people';
import { useSync } from './syncRig';

const { rig, proxy, list, contacts, count, sync } = useSync();

const settings = () => rig.sandbox.settings.eventRegistration;
const addFaultRule = (operation: string, rule: object) =>
	rig.sandbox.faultRules.add({ service: 'eventRegistration', operation, ...rule } as never);

describe('lost responses', () => {
	const modes = [{}, { onError: 'continueRegularOutput' }, onError] as const;
	const cases = modes.flatMap((node) => [
		{ operation: 'addContacts', row: person('new'), node },
		{ operation: 'updateContact', row: person('ada', { Phone: '1' }), node },
	]);

	it.each(cases)(
		'the result of a lost write is uncertain, and the next run resolves it: %j',
		async (given) => {
			const { operation, row, node } = given;
			const listId = await list([person('ada')]);
			addFaultRule(operation, { kind: 'drop', after: true, times: 1 });
			const { outputItems, error, hints } = await sync(listId, [row], apply, node);
			expect(error).toBeUndefined();
			expect(outputItems).toMatchObject([
				{ change: 'uncertain', applied: null, reason: expect.any(String) },
			]);
			expect(hints.map(({ message }) => message)).toEqual([
				expect.stringMatching(/^The answers about 1 contact were lost.*Run Sync again/),
			]);
			const again = await sync(listId, [row], apply, node);
			expect(changesIn(again.outputItems)).toEqual([['unchanged', false]]);
			expect(count(operation)).toBe(1);
		},
	);

	it.each(modes)('the result of a lost removal is uncertain (%j)', async (node) => {
		const listId = await list([person('ada'), person('bob')]);
		addFaultRule('removeContact', { kind: 'drop', after: true, times: 1 });
		const { outputItems } = await sync(
			listId,
			[person('ada')],
			{ ...apply, missing: 'remove' },
			node,
		);
		expect(changesIn(outputItems)).toEqual([
			['unchanged', false],
			['uncertain', null],
		]);
	});

	it.each([
		['an update', 'PATCH', [person('ada', { Phone: '1' })]],
		['new contacts', 'POST', [person('ada'), person('cem'), person('dan')]],
	])(
		'a lost read before %s is no uncertain result, since nothing was sent',
		async (_, method, people) => {
			for (const node of modes) {
				const listId = await list([person('ada')]);
				// The form, the list, a page and the list come first.
				proxy.decide(({ number }) => (number === 5 ? 'dropRequest' : 'pass'));
				const { outputItems, errorItems, error } = await sync(listId, people, apply, node);
				const written = ['created', 'updated', 'uncertain'];
				expect(outputItems.filter(({ change }) => written.includes(change as string))).toEqual([]);
				expect(error === undefined).toBe('onError' in node);
				expect(errorItems.length > 0).toBe(node === onError);
				expect(count(method === 'POST' ? 'addContacts' : 'updateContact')).toBe(0);
			}
		},
	);

	it('a lost first update does not hide that the service clears other fields', async () => {
		settings().updatesContacts = 'replaceCustom';
		const people = ['ada', 'bob'].map((name) => person(name, customFields({ Country: 'Norway' })));
		const listId = await list(people);
		addFaultRule('updateContact', { kind: 'drop', after: true });
		const input = people.map((row) => ({ ...row, Phone: '1' }));
		const { error } = await sync(listId, input, apply);
		expect(error?.message).toMatch(/also changed fields of contact \d+ that were not sent/);
		expect(count('updateContact')).toBe(1);
	});

	it('lost results are resolved when n8n repeats a run that failed for another reason', async () => {
		const listId = await list([person('old')]);
		addFaultRule('addContacts', { kind: 'drop', after: true, times: 1 });
		addFaultRule('removeContact', { kind: '429', retryAfter: 9999, times: 1 });
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const given = { ...apply, missing: 'remove' } as const;
		const { outputItems, error } = await sync(listId, [person('ada'), person('bob')], given, retry);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ change }) => change)).toEqual(['unchanged', 'unchanged', 'removed']);
		expect([count('addContacts'), (await contacts(listId)).length]).toEqual([1, 2]);
	});
});
