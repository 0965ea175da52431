const all = ['Passwordless Identity', 'Two-Factor', 'Event Data', 'Event Registration'];
const events = ['Event Data', 'Event Registration'];

/** Search terms in n8n's nodes panel, and the nodes that each must find. */
export const searches: Record<string, string[]> = {
	gatehouse: all,
	approval: ['Two-Factor', 'Passwordless Identity'],
	approvals: ['Two-Factor', 'Passwordless Identity'],
	'2fa': ['Two-Factor'],
	otp: ['Two-Factor'],
	push: ['Two-Factor'],
	'send code': ['Two-Factor'],
	'sms code': ['Two-Factor'],
	'text message': ['Two-Factor'],
	'verify code': ['Two-Factor'],
	'verify phone': ['Two-Factor'],
	passwordless: ['Passwordless Identity'],
	'sign in': ['Passwordless Identity'],
	attendee: events,
	attendees: events,
	'check in': events,
	conference: events,
	guest: events,
	'register attendee': events,
	registration: events,
	sessions: events,
	contacts: ['Event Registration'],
	refund: ['Event Registration'],
};
