// Protects people who answer identity requests on the phone: their own key signs an approval, and no script can export it.
import { readToken, usePhone } from './phone/phoneRig';

const phone = usePhone();

it('the phone approves a scope job with a token that the demo user’s key signed', async () => {
	const { user } = phone.sandbox.demo;
	const job = await phone.issueJob(user.fingerprint, 'email~r phone profile');
	const card = phone.request('Share your details?');
	await card.waitFor();
	// Screen readers announce the scope in words, not in the notation of the service.
	const message = 'your email (required), phone number, and profile';
	expect(await phone.page.locator('#announcer').textContent()).toBe(
		`Identity request for ${message}`,
	);
	await phone.page.getByRole('button', { name: `Approve: share ${message}` }).waitFor();
	expect(await card.innerText()).toContain('robin.castellan@example.com');
	expect(await card.innerText()).toContain('Demo application');
	await card.getByRole('button', { name: /^Approve/ }).click();
	await phone.page.getByText('Nothing is waiting for you.').waitFor();

	const response = await phone.fetchJob(job);
	const { isValid, claims } = readToken(await response.text(), user.fingerprint);
	expect(isValid).toBe(true);
	expect(claims).toMatchObject({
		sub: user.fingerprint,
		aud: phone.sandbox.demo.application.fingerprint,
		email: user.email,
		phone: user.phone,
		profile: { name: user.name },
	});
	await phone.tab('History').click();
	expect(await phone.historyEntries().innerText()).toMatch(
		/Details: Email, Phone, Name[\s\S]*Approved/,
	);
});

it('the phone creates and registers a new key, and signs with this key after a reload too', async () => {
	await phone.tab('Profile').click();
	await phone.button('Use a fresh key').click();
	await phone.page.getByText('Made in this browser.').waitFor();
	const fingerprint = await phone.page.locator('#fingerprint').innerText();
	expect(fingerprint).toMatch(/^[\w-]{43}$/);
	expect(fingerprint).not.toBe(phone.sandbox.demo.user.fingerprint);
	expect(
		(await fetch(`${phone.sandbox.addresses.passwordlessIdentity}/key/${fingerprint}`)).status,
	).toBe(200);
	await phone.button('Copy fingerprint').click();
	await phone.page.getByText('Copied').waitFor();
	expect(await phone.page.evaluate(() => navigator.clipboard.readText())).toBe(fingerprint);

	await phone.page.getByLabel('Name').fill('Kim Okafor');
	await phone.page.getByLabel('Email').fill('kim@example.com');
	await phone.page.getByLabel('Phone number').fill('+44 20 7946 0018');
	await phone.button('Save profile').click();
	await phone.page.getByText('Profile saved').waitFor();

	await phone.open();
	const job = await phone.issueJob(fingerprint, 'email phone address~r');
	const demoUserJob = await phone.issueJob(phone.sandbox.demo.user.fingerprint, 'email');
	const card = phone.request('Share your details?');
	await card.waitFor();
	expect(await card.innerText()).toContain('Your profile is missing something that’s required.');
	await card.getByRole('button', { name: /^Approve/ }).click();
	await phone.page.getByText('Nothing is waiting for you.').waitFor();
	const { isValid, claims } = readToken(await (await phone.fetchJob(job)).text(), fingerprint);
	expect(isValid).toBe(true);
	expect(claims).toMatchObject({ email: 'kim@example.com', phone: '+442079460018' });
	expect(claims).not.toHaveProperty('address');
	expect(await (await phone.fetchJob(demoUserJob)).json()).toEqual({ status: 'waiting' });

	await phone.tab('Profile').click();
	await phone.button('Be the sandbox’s guest again').click();
	await phone.tab('Requests').click();
	await phone.request('robin.castellan@example.com').waitFor();
});

it('the phone stores its private key so that no script can export it', async () => {
	await phone.tab('Profile').click();
	await phone.button('Use a fresh key').click();
	await phone.page.getByText('Made in this browser.').waitFor();
	const outcome = await phone.page.evaluate(async () => {
		const script: string = '/phone/keys.js';
		const { loadKey } = await import(script);
		const { privateKey } = await loadKey();
		const stolen = await crypto.subtle.exportKey('jwk', privateKey).catch((error) => error.name);
		return { type: privateKey.type, extractable: privateKey.extractable, stolen };
	});
	expect(outcome).toEqual({ type: 'private', extractable: false, stolen: 'InvalidAccessError' });
	expect(await phone.page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/\\*"d\\*":/);
});

it('the phone denies a scope job', async () => {
	const job = await phone.issueJob(phone.sandbox.demo.user.fingerprint, 'email');
	await phone.page.getByRole('button', { name: 'Deny: share your email' }).click();
	await phone.page.getByText('Nothing is waiting for you.').waitFor();
	expect(await (await phone.fetchJob(job)).json()).toEqual({ status: 'cancelled' });
	await phone.tab('History').click();
	expect(await phone.historyEntries().innerText()).toContain('Denied');
});
