// Protects people who decide and read codes on the phone: the service gets each decision, and they see nothing of others.
import { usePhone } from './phone/phoneRig';

const phone = usePhone();

it('the phone approves one request and denies another', async () => {
	const id = await phone.enroll();
	const details = { Amount: '1,250.00 EUR', Payee: 'Hall <b>rental</b>' };
	const first = await phone.requestApproval(id, 'Release the payment?', { details });
	const second = await phone.requestApproval(id, 'Open the east gate?');
	await phone.request('Open the east gate?').waitFor();
	const text = await phone.request('Release the payment?').innerText();
	expect(text).toContain('1,250.00 EUR');
	expect(text).toContain('Hall <b>rental</b>');
	expect(await phone.tab('Requests').innerText()).toContain('2');

	await phone.page.getByRole('button', { name: 'Approve: Release the payment?' }).click();
	await phone.page.locator('#toast', { hasText: 'Approved' }).waitFor();
	expect(await phone.readApprovalStatus(first)).toBe('approved');
	expect(await phone.readApprovalStatus(second)).toBe('pending');
	await phone.page.getByRole('button', { name: 'Deny: Open the east gate?' }).click();
	await phone.page.getByText('Nothing is waiting for you.').waitFor();
	expect(await phone.readApprovalStatus(second)).toBe('denied');
	await phone.tab('History').click();
	await phone.historyEntries().nth(1).waitFor();
	const rows = await phone.historyEntries().allInnerTexts();
	expect(rows.find((row) => row.includes('east gate'))).toContain('Denied');
	expect(rows.find((row) => row.includes('payment'))).toContain('Approved');
});

it('the phone shows an SMS code at once, and the service accepts the code', async () => {
	const id = await phone.enroll();
	await phone.tab('Messages').click();
	await phone.page.getByText('No text messages yet.').waitFor();
	await phone.callTwoFactor(`/protected/json/sms/${id}?force=true`);
	const copy = phone.page.locator('#sms').getByRole('button', { name: /^Copy \d+$/ });
	await copy.click();
	const code = await phone.page.evaluate(() => navigator.clipboard.readText());
	expect(code).toMatch(/^\d{6,8}$/);
	const verified = await phone.callTwoFactor(`/protected/json/verify/${code}/${id}?force=true`);
	expect([verified.status, verified.body.token]).toEqual([200, 'is valid']);
});

it('the phone logs a voice call, and shows the authenticator codes of its number', async () => {
	const id = await phone.enroll();
	await phone.callTwoFactor(`/protected/json/call/${id}?force=true`);
	await phone.page.locator('#badge-messages', { hasText: '1' }).waitFor();
	await phone.tab('Messages').click();
	await phone.page.locator('#calls article').waitFor();
	expect(await phone.page.locator('#badge-messages').isVisible()).toBe(false);
	const code = await phone.page.locator('#authenticator .digits').first().innerText();
	const verified = await phone.callTwoFactor(`/protected/json/verify/${code}/${id}?force=true`);
	expect(verified.status).toBe(200);
});

it('the phone shows no requests or messages of other people', async () => {
	const id = await phone.enroll('2025550188');
	await phone.requestApproval(id, 'Not for Robin');
	await phone.callTwoFactor(`/protected/json/sms/${id}?force=true`);
	await phone.requestApproval(await phone.enroll(), 'For Robin');
	await phone
		.request('For Robin')
		.filter({ hasText: /^(?!.*Not)/ })
		.first()
		.waitFor();
	expect(await phone.page.locator('#requests article').count()).toBe(1);
	await phone.tab('Messages').click();
	await phone.page.getByText('No text messages yet.').waitFor();
});

it('the phone moves an expired request to the history', async () => {
	await phone.requestApproval(await phone.enroll(), 'Be quick', { seconds_to_expire: 120 });
	await phone.request('Be quick').waitFor();
	expect(await phone.request('Be quick').innerText()).toMatch(/Expires in [12]:\d\d/);
	phone.sandbox.clock.advance(121_000);
	await phone.page.getByText('Nothing is waiting for you.').waitFor();
	await phone.tab('History').click();
	expect(await phone.historyEntries().innerText()).toContain('Expired');
});

it('the phone shows an error if a decision comes too late', async () => {
	const uuid = await phone.requestApproval(await phone.enroll(), 'Race');
	await phone.request('Race').waitFor();
	// The sandbox does not notify the phone of the decision, as if another device had decided in this moment.
	await phone.page.route('**/phone/api/stream*', (route) => route.abort());
	phone.sandbox.world.phone.removeAllListeners('item');
	phone.sandbox.control('twoFactor', 'decide', { uuid, decision: 'denied' });
	await phone.page.getByRole('button', { name: 'Approve: Race' }).click();
	await phone.page.getByText('denied already').waitFor();
	expect(await phone.readApprovalStatus(uuid)).toBe('denied');
	phone.pageErrors = phone.pageErrors.filter(
		(line) => !line.includes('400') && !line.includes('ERR_FAILED'),
	);
});
