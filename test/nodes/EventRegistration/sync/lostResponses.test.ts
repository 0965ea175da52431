// Protects contacts whose response was lost: Sync reports them as uncertain, and the next run does not write them again.
import { applyMode, readChanges, makeCustomFields, errorOutput, makePerson } from './people';
import { useSync } from './syncRig';

const { rig, proxy, createList, readContacts, countRequests, sync } = useSync();

const settings = () => rig.sandbox.settings.eventRegistration;
const addFaultRule = (operation: string, rule: object) =>
	rig.sandbox.faultRules.add({ service: 'eventRegistration', operation, ...rule } as never);

describe('lost responses', () => {
	const nodeSettings = [{}, { onError: 'continueRegularOutput' }, errorOutput] as const;
	const cases = nodeSettings.flatMap((node) => [
		{ operation: 'addContacts', row: makePerson('new'), node },
		{ operation: 'updateContact', row: makePerson('ada', { Phone: '1' }), node },
	]);

	it.each(cases)(
		'a write whose response is lost is uncertain, and the next run reports its contact as unchanged: %j',
		async ({ operation, row, node }) => {
			const listId = await createList([makePerson('ada')]);
			addFaultRule(operation, { kind: 'drop', afterExecution: true, times: 1 });
			const { outputItems, error, hints } = await sync(listId, [row], applyMode, node);
			expect(error).toBeUndefined();
			expect(outputItems).toMatchObject([
				{ change: 'uncertain', applied: null, reason: expect.any(String) },
			]);
			expect(hints.map(({ message }) => message)).toEqual([
				expect.stringMatching(/^The answers about 1 contact were lost.*Run Sync again/),
			]);
			const secondRun = await sync(listId, [row], applyMode, node);
			expect(readChanges(secondRun.outputItems)).toEqual([['unchanged', false]]);
			expect(countRequests(operation)).toBe(1);
		},
	);

	it.each(nodeSettings)('a removal whose response is lost is uncertain (%j)', async (node) => {
		const listId = await createList([makePerson('ada'), makePerson('bob')]);
		addFaultRule('removeContact', { kind: 'drop', afterExecution: true, times: 1 });
		const { outputItems } = await sync(
			listId,
			[makePerson('ada')],
			{ ...applyMode, missing: 'remove' },
			node,
		);
		expect(readChanges(outputItems)).toEqual([
			['unchanged', false],
			['uncertain', null],
		]);
	});

	it.each([
		['an update', 'PATCH', [makePerson('ada', { Phone: '1' })]],
		['new contacts', 'POST', [makePerson('ada'), makePerson('cem'), makePerson('dan')]],
	])(
		'a read that is lost before %s leaves no uncertain result, since nothing was sent',
		async (_, method, people) => {
			for (const node of nodeSettings) {
				const listId = await createList([makePerson('ada')]);
				// The first four requests read the form, the list, a page and the list again.
				proxy.decide(({ number }) => (number === 5 ? 'dropRequest' : 'pass'));
				const { outputItems, errorItems, error } = await sync(listId, people, applyMode, node);
				const writtenChanges = ['created', 'updated', 'uncertain'];
				expect(
					outputItems.filter(({ change }) => writtenChanges.includes(change as string)),
				).toEqual([]);
				expect(error === undefined).toBe('onError' in node);
				expect(errorItems.length > 0).toBe(node === errorOutput);
				expect(countRequests(method === 'POST' ? 'addContacts' : 'updateContact')).toBe(0);
			}
		},
	);

	it('Sync detects that the service clears other fields even if the response to the first update is lost', async () => {
		settings().contactUpdateMode = 'replaceCustom';
		const people = ['ada', 'bob'].map((name) =>
			makePerson(name, makeCustomFields({ Country: 'Norway' })),
		);
		const listId = await createList(people);
		addFaultRule('updateContact', { kind: 'drop', afterExecution: true });
		const input = people.map((row) => ({ ...row, Phone: '1' }));
		const { error } = await sync(listId, input, applyMode);
		expect(error?.message).toMatch(/also changed fields of contact \d+ that were not sent/);
		expect(countRequests('updateContact')).toBe(1);
	});

	it('contacts whose response was lost are found when n8n repeats a run that failed for another reason', async () => {
		const listId = await createList([makePerson('old')]);
		addFaultRule('addContacts', { kind: 'drop', afterExecution: true, times: 1 });
		addFaultRule('removeContact', { kind: '429', retryAfter: 9999, times: 1 });
		const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const parameters = { ...applyMode, missing: 'remove' } as const;
		const { outputItems, error } = await sync(
			listId,
			[makePerson('ada'), makePerson('bob')],
			parameters,
			retry,
		);
		expect(error).toBeUndefined();
		expect(outputItems.map(({ change }) => change)).toEqual(['unchanged', 'unchanged', 'removed']);
		expect([countRequests('addContacts'), (await readContacts(listId)).length]).toEqual([1, 2]);
	});
});
