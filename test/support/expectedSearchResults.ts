const allNodes = ['Passwordless Identity', 'Two-Factor', 'Event Data', 'Event Registration'];
const eventNodes = ['Event Data', 'Event Registration'];

/** Search terms in n8n's nodes panel, and the nodes that each must find. */
export const expectedSearchResults: Record<string, string[]> = {
	gatehouse: allNodes,
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
	attendee: eventNodes,
	attendees: eventNodes,
	'check in': eventNodes,
	conference: eventNodes,
	guest: eventNodes,
	'register attendee': eventNodes,
	registration: eventNodes,
	sessions: eventNodes,
	contacts: ['Event Registration'],
	refund: ['Event Registration'],
};
