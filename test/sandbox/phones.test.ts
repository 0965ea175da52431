// Protects users who decide for several people: the overview shows each request only for its person, and no private key.
import { demoPersonByHolder } from '../../sandbox/demoIdentities';
import type { PhoneHolder } from '../../sandbox/demoIdentities';
import { passwordlessIdentity } from '../../sandbox/passwordlessIdentity';
import { twoFactor } from '../../sandbox/twoFactor';
import { useSandbox } from '../support/sandbox';
import { TwoFactorClient } from './twoFactor.fixture';

const sandbox = useSandbox({ services: [passwordlessIdentity, twoFactor] });
const client = new TwoFactorClient(sandbox);

const readApi = async (path: string) =>
	await (await fetch(`${sandbox.phonesUrl}/api/${path}`)).json();
const readPeople = async () =>
	((await readApi('people')) as { people: Array<{ holder: PhoneHolder; userId: number }> }).people;
const readItems = async () => {
	const response = (await readApi('items')) as {
		items: Array<{ holder: PhoneHolder; item: object }>;
	};
	return response.items;
};

async function requestApproval(
	userId: number,
	message: string,
	extraFields: object = {},
): Promise<string> {
	const path = `/onetouch/json/users/${userId}/approval_requests`;
	const { data } = await client.send('POST', path, { message, ...extraFields });
	return (data.approval_request as { uuid: string }).uuid;
}

it('the overview has four people with different IDs in a fixed order, and no private keys', async () => {
	const list = await readPeople();
	expect(list.map(({ holder, userId }) => [holder, userId])).toEqual([
		['guest', 100001],
		['manager', 100003],
		['finance', 100004],
		['deputy', 100005],
	]);
	const text = JSON.stringify(await readApi('people'));
	for (const name of Object.values(demoPersonByHolder)) {
		expect(text).toContain(sandbox.demo[name].fingerprint);
		expect(text).not.toContain(sandbox.demo[name].privateJwk.d);
	}
	expect(text).not.toContain(sandbox.demo.twoFactor.apiKey);
});

it('the overview shows each request only for the person it was sent to', async () => {
	const sentRequests: unknown[] = [];
	for (const { holder, userId } of await readPeople()) {
		sentRequests.push([holder, await requestApproval(userId, `For the ${holder}`)]);
	}
	await requestApproval(await client.createUser('202-555-0188'), 'For another user');
	const shownRequests = (await readItems()).map(({ holder, item }) => [
		holder,
		(item as { id: string }).id,
	]);
	expect(shownRequests).toEqual(sentRequests);
});

it('the overview shows requests that need a decision and no messages', async () => {
	const [guest] = await readPeople();
	await client.get(`/protected/json/sms/${guest!.userId}?force=true`);
	expect(await readItems()).toEqual([]);
});

it('the overview shows which requests were decided or have expired', async () => {
	const [, manager, finance] = await readPeople();
	const uuid = await requestApproval(manager!.userId, 'Decided');
	await requestApproval(finance!.userId, 'Overdue', { seconds_to_expire: 120 });
	sandbox.control('twoFactor', 'decide', { uuid, decision: 'denied' });
	sandbox.clock.advance(121_000);
	expect((await readItems()).map(({ holder, item }) => [holder, item])).toEqual([
		['manager', expect.objectContaining({ message: 'Decided', status: 'denied' })],
		['finance', expect.objectContaining({ message: 'Overdue', status: 'expired' })],
	]);
});

it('one stream reports the requests of all people, and unsubscribes when the page is closed', async () => {
	const { phone } = sandbox.world;
	const listenersBefore = phone.listenerCount('item');
	const stop = new AbortController();
	const response = await fetch(`${sandbox.phonesUrl}/api/stream`, { signal: stop.signal });
	const reader = response.body!.getReader();
	let text = '';
	const readUntil = async (expectedText: string) => {
		while (!text.includes(expectedText))
			text += Buffer.from((await reader.read()).value!).toString();
	};
	await readUntil('event: refresh');
	for (const { holder, userId } of await readPeople()) {
		await client.get(`/protected/json/sms/${userId}?force=true`);
		await requestApproval(userId, `For the ${holder}`);
		await readUntil(`"message":"For the ${holder}"`);
	}
	expect(
		[...text.matchAll(/event: item\ndata: \{"now":\d+,"holder":"(\w+)"/g)].map(([, a]) => a),
	).toEqual(Object.keys(demoPersonByHolder));
	expect(phone.listenerCount('item')).toBeGreaterThan(listenersBefore);
	stop.abort();
	for (let i = 0; i < 200 && phone.listenerCount('item') !== listenersBefore; i++) {
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	expect(phone.listenerCount('item')).toBe(listenersBefore);
});
