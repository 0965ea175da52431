import { useAcceleratedTime } from '../../support/fakeClock';
import { adderTo, emailsIn, isBad, makePeople } from './bulkSamples';
import { createFakeList, useFake } from './fakeService';

useAcceleratedTime();

const fake = useFake();

const { add, serve } = adderTo(fake);
const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const addresses = (count: number) => makePeople(count).map(({ email }) => email);

describe('adding contacts with Retry On Fail', () => {
	it('no contact is added twice if one contact stays invalid', async () => {
		const list = serve(createFakeList({ isBad }));
		const { error } = await add(makePeople(10, [4]), {}, retry);
		expect(list.contacts).toHaveLength(9);
		expect(new Set(emailsIn(list)).size).toBe(9);
		expect(error!.message).toMatch(/^9 of 10 contacts were added, 1 was not: /);
	});

	it('the remaining contacts are sent if a batch was rejected temporarily', async () => {
		let arrays = 0;
		const list = createFakeList({
			intercept: (_, sent) =>
				sent && ++arrays === 2 ? { status: 409, body: { Message: 'Locked.' } } : undefined,
		});
		serve(list);
		const { outputItems, error } = await add(makePeople(30), { contactsPerRequest: 10 }, retry);
		expect(error).toBeUndefined();
		expect(emailsIn(list)).toEqual(addresses(30));
		expect(outputItems.map(({ Email }) => Email)).toEqual(addresses(30));
		expect(list.arrays).toEqual([10, 10, 10, 10]);
	});

	it.each([
		['ends the run', retry, [10, 10]],
		['leaves the others alone', { ...retry, onError: 'continueRegularOutput' }, [10, 10, 10]],
	])('a batch whose response was lost is never sent again, if that %s', async (_, node, sizes) => {
		let arrays = 0;
		const list = createFakeList({
			intercept: (_, sent) => {
				if (!sent || ++arrays !== (sizes.length === 2 ? 2 : 1)) return undefined;
				list.contacts.push(...sent);
				return { drop: true };
			},
		});
		serve(list);
		const { outputItems, error } = await add(makePeople(30), { contactsPerRequest: 10 }, node);
		expect(list.arrays).toEqual(sizes);
		expect(new Set(emailsIn(list)).size).toBe(list.contacts.length);
		if (sizes.length === 2) {
			expect(error!.message).toMatch(
				/^10 of 30 contacts were added, 10 were not, 10 may or may not have been: /,
			);
		} else {
			expect(outputItems.filter(({ error: failed }) => failed !== undefined)).toHaveLength(10);
			expect(list.contacts).toHaveLength(30);
		}
	});
});
