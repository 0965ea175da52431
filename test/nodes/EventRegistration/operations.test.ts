import { service } from '../../../nodes/EventRegistration/service';
import { openHouse } from '../../support/house';
import type { House } from '../../support/house';
import { byId, known, samples } from './samples';
import type { Sample } from './samples';

let house: House;
let all: Sample[];

beforeAll(async () => {
	house = await openHouse({ registrations: 600 });
	const run = async (parameters: object) =>
		(await house.run('eventRegistration', { ...parameters, limit: 1 } as never)).out[0]!;
	const contact = await run({
		resource: 'contact',
		operation: 'getMany',
		contactListId: byId(known.contactListId),
	});
	const transaction = await run({ resource: 'transaction', operation: 'getMany' });
	all = samples({
		contactId: contact.ContactId as number,
		transactionId: transaction.TransactionId as number,
	});
});
afterAll(async () => {
	expect(house.sandbox.faults).toEqual([]);
	await house.close();
});
beforeEach(() => house.sandbox.reset());

// Of these names the tables below are made before the season can be asked for ids.
const names = samples({ contactId: 0, transactionId: 0 }).map(
	({ resource, operation, request, unknown, repeatable }) => ({
		label: `${resource}: ${operation}`,
		request,
		hasUnknown: unknown !== undefined,
		repeatable,
	}),
);
const sample = (label: string) =>
	all.find(({ resource, operation }) => `${resource}: ${operation}` === label)!;

const quick = { tries: 2, longestWait: 1 };
const run = ({ resource, operation, parameters }: Sample, more: object = {}, node: object = {}) =>
	house.run('eventRegistration', { resource, operation, ...parameters, ...more }, [{}], node);
const count = (request: string) => house.sandbox.journal.count('eventRegistration', request);

it('has a sample for every operation of the node', () => {
	const offered = Object.entries(service.resources).flatMap(([resource, { operations }]) =>
		Object.keys(operations).map((operation) => `${resource}: ${operation}`),
	);
	expect(names.map(({ label }) => label).sort()).toEqual(offered.sort());
});

describe.each(names)('$label', ({ label, request, hasUnknown, repeatable }) => {
	it('does what it says', async () => {
		const { out, error } = await run(sample(label));
		expect(error).toBeUndefined();
		expect(out.length).toBeGreaterThan(0);
		for (const item of out) expect(item).toHaveProperty(sample(label).shows);
		expect(count(request)).toBe(1);
	});

	it('says that the key is refused', async () => {
		house.sandbox.settings.eventRegistration.headerName = 'X-Other';
		const { error } = await run(sample(label));
		expect(error).toMatchObject({
			message: expect.stringContaining('Authorization has been denied for this request.'),
			description: expect.stringContaining('Check the key in the credential'),
			httpCode: '401',
		});
	});

	if (hasUnknown) {
		it('says that there is no such thing, on the error branch if the user wants so', async () => {
			const { resource, operation, unknown } = sample(label);
			const { error, out, failed } = await house.run(
				'eventRegistration',
				{ resource, operation, ...sample(label).parameters, ...unknown },
				[{}],
				{ onError: 'continueErrorOutput' },
			);
			expect(error).toBeUndefined();
			expect(out).toEqual([]);
			expect(failed).toHaveLength(1);
			expect(failed[0]!.json.error).toMatch(/There is no |There is nothing/);
			expect(failed[0]!.pairedItem).toEqual({ item: 0 });
		});
	}

	it('tries again after 429, since nothing was done', async () => {
		const { weather } = house.sandbox;
		weather.set({
			service: 'eventRegistration',
			operation: request,
			kind: '429',
			retryAfter: 0,
			times: 1,
		});
		const { error, out } = await run(sample(label), { options: quick });
		expect(error).toBeUndefined();
		expect(out.length).toBeGreaterThan(0);
		expect(count(request)).toBe(2);
	});

	it(`is sent ${repeatable ? 'again' : 'once only'} after a failure of the service`, async () => {
		const { weather } = house.sandbox;
		weather.set({
			service: 'eventRegistration',
			operation: request,
			kind: '503',
			retryAfter: 0,
			times: 1,
		});
		const { error } = await run(sample(label), { options: quick });
		expect(count(request)).toBe(repeatable ? 2 : 1);
		if (repeatable) expect(error).toBeUndefined();
		else {
			expect((error as unknown as { description: string }).description).toMatch(
				/It is not known whether .* so it was not sent again/,
			);
		}
	});
});
