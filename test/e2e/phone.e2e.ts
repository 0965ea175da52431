import { createPublicKey, sign, createPrivateKey, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';

import type { DemoKey } from '../../sandbox/demo';
import { passwordlessIdentity } from '../../sandbox/passwordlessIdentity';
import { startSandbox } from '../../sandbox/server';
import type { Sandbox } from '../../sandbox/server';
import { twoFactor } from '../../sandbox/twoFactor';
import { openBrowser } from './phone.browser';

let sandbox: Sandbox;
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
	sandbox = await startSandbox({ services: [passwordlessIdentity, twoFactor] });
	browser = await openBrowser();
});
afterAll(async () => {
	await (browser as Browser | undefined)?.close();
	await (sandbox as Sandbox | undefined)?.close();
});
beforeEach(async () => {
	sandbox.reset();
	problems = [];
	const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	page = await context.newPage();
	page.on('pageerror', (error) => problems.push(String(error)));
	page.on('console', (message) => {
		if (message.type() === 'error') problems.push(message.text());
	});
	await open();
});
afterEach(async () => {
	await page.context().close();
	expect(problems).toEqual([]);
	expect(sandbox.internalErrors).toEqual([]);
});

async function open() {
	await page.goto(sandbox.phoneUrl);
	await page.getByText('Live').waitFor();
}

const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
const request = (text: string) => page.locator('#requests article', { hasText: text });
const decisions = () => page.locator('#history article');
const button = (name: string) => page.getByRole('button', { name, exact: true });

function makeToken(claims: object, { privateJwk }: DemoKey) {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const content = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part(claims)}`;
	const key = createPrivateKey({ key: privateJwk as JsonWebKey, format: 'jwk' });
	return `${content}.${sign(null, Buffer.from(content), key).toString('base64url')}`;
}

/** Checks the signature with nothing but the fingerprint, and gives the claims. */
function readToken(token: string, fingerprint: string) {
	const [header, claims, signature] = token.split('.') as [string, string, string];
	const jwk = { kty: 'OKP', crv: 'Ed25519', x: fingerprint };
	const good = verify(
		null,
		Buffer.from(`${header}.${claims}`),
		createPublicKey({ key: jwk, format: 'jwk' }),
		Buffer.from(signature, 'base64url'),
	);
	return { good, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) };
}

async function issueJob(sub: string, scope: string) {
	const { application } = sandbox.demo;
	const answer = await fetch(`${sandbox.addresses.passwordlessIdentity}/scope`, {
		method: 'POST',
		headers: { 'content-type': 'application/jwt' },
		body: makeToken({ iss: application.fingerprint, sub, scope }, application),
	});
	expect(answer.status).toBe(201);
	return ((await answer.json()) as { job: string }).job;
}

const fetchJob = (job: string) => fetch(`${sandbox.addresses.passwordlessIdentity}/scope/${job}`);

async function callTwoFactor(path: string, body?: object) {
	const answer = await fetch(sandbox.addresses.twoFactor + path, {
		method: body ? 'POST' : 'GET',
		headers: {
			'X-Twofactor-API-Key': sandbox.demo.twoFactor.apiKey,
			...(body && { 'content-type': 'application/json' }),
		},
		body: body && JSON.stringify(body),
	});
	return { status: answer.status, body: await answer.json() };
}

async function enroll(cellphone = sandbox.demo.user.phoneNumber) {
	const user = { email: sandbox.demo.user.email, cellphone, country_code: '1' };
	const { body } = await callTwoFactor('/protected/json/users/new', { user });
	return body.user.id as number;
}

async function requestApproval(id: number, message: string, more: object = {}) {
	const path = `/onetouch/json/users/${id}/approval_requests`;
	const { body } = await callTwoFactor(path, { message, ...more });
	return body.approval_request.uuid as string;
}

async function approvalStatus(uuid: string) {
	const { body } = await callTwoFactor(`/onetouch/json/approval_requests/${uuid}`);
	return body.approval_request.status as string;
}

it('approves a scope job as the demo user, with a token that verifies', async () => {
	const { user } = sandbox.demo;
	const job = await issueJob(user.fingerprint, 'email~r phone profile');
	const card = request('Share your details?');
	await card.waitFor();
	// Heard by those who do not see the card, in words and not as the service writes it.
	const words = 'your email (required), phone number, and profile';
	expect(await page.locator('#announcer').textContent()).toBe(`Identity request for ${words}`);
	await page.getByRole('button', { name: `Approve: share ${words}` }).waitFor();
	expect(await card.innerText()).toContain('robin.castellan@example.com');
	expect(await card.innerText()).toContain('Demo application');
	await card.getByRole('button', { name: /^Approve/ }).click();
	await page.getByText('Nothing is waiting for you.').waitFor();

	const answer = await fetchJob(job);
	const { good, claims } = readToken(await answer.text(), user.fingerprint);
	expect(good).toBe(true);
	expect(claims).toMatchObject({
		sub: user.fingerprint,
		aud: sandbox.demo.application.fingerprint,
		email: user.email,
		phone: user.phone,
		profile: { name: user.name },
	});
	await tab('History').click();
	expect(await decisions().innerText()).toMatch(/Details: Email, Phone, Name[\s\S]*Approved/);
});

it('makes a key of its own, registers it, and signs with it after a reload too', async () => {
	await tab('Profile').click();
	await button('Use a fresh key').click();
	await page.getByText('Made in this browser.').waitFor();
	const fingerprint = await page.locator('#fingerprint').innerText();
	expect(fingerprint).toMatch(/^[\w-]{43}$/);
	expect(fingerprint).not.toBe(sandbox.demo.user.fingerprint);
	expect((await fetch(`${sandbox.addresses.passwordlessIdentity}/key/${fingerprint}`)).status).toBe(
		200,
	);
	await button('Copy fingerprint').click();
	await page.getByText('Copied').waitFor();
	expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(fingerprint);

	await page.getByLabel('Name').fill('Kim Okafor');
	await page.getByLabel('Email').fill('kim@example.com');
	await page.getByLabel('Phone number').fill('+44 20 7946 0018');
	await button('Save profile').click();
	await page.getByText('Profile saved').waitFor();

	await open();
	const job = await issueJob(fingerprint, 'email phone address~r');
	const other = await issueJob(sandbox.demo.user.fingerprint, 'email');
	const card = request('Share your details?');
	await card.waitFor();
	expect(await card.innerText()).toContain('Your profile is missing something that’s required.');
	await card.getByRole('button', { name: /^Approve/ }).click();
	await page.getByText('Nothing is waiting for you.').waitFor();
	const { good, claims } = readToken(await (await fetchJob(job)).text(), fingerprint);
	expect(good).toBe(true);
	expect(claims).toMatchObject({ email: 'kim@example.com', phone: '+442079460018' });
	expect(claims).not.toHaveProperty('address');
	expect(await (await fetchJob(other)).json()).toEqual({ status: 'waiting' });

	await tab('Profile').click();
	await button('Be the sandbox’s guest again').click();
	await tab('Requests').click();
	await request('robin.castellan@example.com').waitFor();
});

it('keeps the private half of its own key where no script can read it', async () => {
	await tab('Profile').click();
	await button('Use a fresh key').click();
	await page.getByText('Made in this browser.').waitFor();
	const outcome = await page.evaluate(async () => {
		const script: string = '/phone/keys.js';
		const { loadKey } = await import(script);
		const { privateKey } = await loadKey();
		const stolen = await crypto.subtle.exportKey('jwk', privateKey).catch((error) => error.name);
		return { type: privateKey.type, extractable: privateKey.extractable, stolen };
	});
	expect(outcome).toEqual({ type: 'private', extractable: false, stolen: 'InvalidAccessError' });
	expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/"d"/);
});

it('denies a scope job', async () => {
	const job = await issueJob(sandbox.demo.user.fingerprint, 'email');
	await page.getByRole('button', { name: 'Deny: share your email' }).click();
	await page.getByText('Nothing is waiting for you.').waitFor();
	expect(await (await fetchJob(job)).json()).toEqual({ status: 'cancelled' });
	await tab('History').click();
	expect(await decisions().innerText()).toContain('Denied');
});

it('approves one push and denies another', async () => {
	const id = await enroll();
	const details = { Amount: '1,250.00 EUR', Payee: 'Hall <b>rental</b>' };
	const first = await requestApproval(id, 'Release the payment?', { details });
	const second = await requestApproval(id, 'Open the east gate?');
	await request('Open the east gate?').waitFor();
	const text = await request('Release the payment?').innerText();
	expect(text).toContain('1,250.00 EUR');
	expect(text).toContain('Hall <b>rental</b>');
	expect(await tab('Requests').innerText()).toContain('2');

	await page.getByRole('button', { name: 'Approve: Release the payment?' }).click();
	await page.locator('#toast', { hasText: 'Approved' }).waitFor();
	expect(await approvalStatus(first)).toBe('approved');
	expect(await approvalStatus(second)).toBe('pending');
	await page.getByRole('button', { name: 'Deny: Open the east gate?' }).click();
	await page.getByText('Nothing is waiting for you.').waitFor();
	expect(await approvalStatus(second)).toBe('denied');
	await tab('History').click();
	await decisions().nth(1).waitFor();
	const rows = await decisions().allInnerTexts();
	expect(rows.find((row) => row.includes('east gate'))).toContain('Denied');
	expect(rows.find((row) => row.includes('payment'))).toContain('Approved');
});

it('shows an SMS code at once, and the code verifies', async () => {
	const id = await enroll();
	await tab('Messages').click();
	await page.getByText('No text messages yet.').waitFor();
	await callTwoFactor(`/protected/json/sms/${id}?force=true`);
	const copy = page.locator('#sms').getByRole('button', { name: /^Copy \d+$/ });
	await copy.click();
	const code = await page.evaluate(() => navigator.clipboard.readText());
	expect(code).toMatch(/^\d{6,8}$/);
	const verified = await callTwoFactor(`/protected/json/verify/${code}/${id}?force=true`);
	expect([verified.status, verified.body.token]).toEqual([200, 'is valid']);
});

it('logs a voice call, and shows the authenticator codes of this number', async () => {
	const id = await enroll();
	await callTwoFactor(`/protected/json/call/${id}?force=true`);
	expect(await tab('Messages').innerText()).toContain('Messages');
	await page.locator('#badge-messages', { hasText: '1' }).waitFor();
	await tab('Messages').click();
	await page.locator('#calls article').waitFor();
	expect(await page.locator('#badge-messages').isVisible()).toBe(false);
	const code = await page.locator('#authenticator .digits').first().innerText();
	const verified = await callTwoFactor(`/protected/json/verify/${code}/${id}?force=true`);
	expect(verified.status).toBe(200);
});

it('shows nothing of what goes to somebody else', async () => {
	const id = await enroll('2025550188');
	await requestApproval(id, 'Not for Robin');
	await callTwoFactor(`/protected/json/sms/${id}?force=true`);
	const mine = await requestApproval(await enroll(), 'For Robin');
	await request('For Robin')
		.filter({ hasText: /^(?!.*Not)/ })
		.first()
		.waitFor();
	expect(await page.locator('#requests article').count()).toBe(1);
	expect(mine).toBeTruthy();
	await tab('Messages').click();
	await page.getByText('No text messages yet.').waitFor();
});

it('moves a request to the history when its time runs out', async () => {
	await requestApproval(await enroll(), 'Be quick', { seconds_to_expire: 120 });
	await request('Be quick').waitFor();
	expect(await request('Be quick').innerText()).toMatch(/Expires in [12]:\d\d/);
	sandbox.clock.advance(121_000);
	await page.getByText('Nothing is waiting for you.').waitFor();
	await tab('History').click();
	expect(await decisions().innerText()).toContain('Expired');
});

it('says what went wrong when a decision comes too late', async () => {
	const uuid = await requestApproval(await enroll(), 'Race');
	await request('Race').waitFor();
	// The sandbox decides without telling the phone, as another device would between two taps.
	await page.route('**/phone/api/stream*', (route) => route.abort());
	const { phone } = sandbox.world;
	phone.removeAllListeners('item');
	sandbox.control('twoFactor', 'decide', { uuid, decision: 'denied' });
	await page.getByRole('button', { name: 'Approve: Race' }).click();
	await page.getByText('denied already').waitFor();
	expect(await approvalStatus(uuid)).toBe('denied');
	problems = problems.filter((line) => !line.includes('400') && !line.includes('ERR_FAILED'));
});

it('is used with the keyboard alone, and announces arrivals', async () => {
	const id = await enroll();
	await requestApproval(id, 'First');
	await request('First').waitFor();
	await page.locator('#announcer', { hasText: 'First' }).waitFor({ state: 'attached' });
	await page.getByRole('button', { name: 'Approve: First' }).focus();
	await requestApproval(id, 'Second');
	await request('Second').waitFor();
	const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
	// A new request must not move the focus: the user may be about to decide another.
	expect(await focused()).toBe('Approve: First');
	await page.keyboard.press('Enter');
	await request('First').waitFor({ state: 'detached' });
	await page.waitForFunction(
		() => document.activeElement?.getAttribute('aria-label') === 'Approve: Second',
	);
	await tab('Requests').focus();
	await page.keyboard.press('ArrowRight');
	expect(await tab('Messages').getAttribute('aria-selected')).toBe('true');
	await page.keyboard.press('End');
	expect(await page.getByRole('heading', { name: 'Profile' }).isVisible()).toBe(true);
	await page.keyboard.press('ArrowRight');
	expect(await page.getByRole('heading', { name: 'Requests' }).isVisible()).toBe(true);
	const outline = await tab('Requests').evaluate(
		(element) => getComputedStyle(element).outlineStyle,
	);
	expect(outline).toBe('solid');
});

it.each([
	{ width: 320, height: 640 },
	{ width: 390, height: 800 },
	{ width: 1280, height: 860 },
])('needs no sideways scrolling at $width pixels', async (size) => {
	await page.setViewportSize(size);
	const details = { Reference: 'x'.repeat(120), [`${'Long'.repeat(20)}`]: 'value' };
	await requestApproval(await enroll(), 'W'.repeat(140), { details });
	await request('WWWW').waitFor();
	const overflow = await page.evaluate(() =>
		['html', 'main'].map((name) => {
			const element = document.querySelector(name)!;
			return element.scrollWidth - element.clientWidth;
		}),
	);
	expect(overflow).toEqual([0, 0]);
});
