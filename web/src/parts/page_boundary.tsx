// Where a part of the page cannot be shown, the rest stays. Parts that are loaded later may not be there any more: after
// a start of another version of the server.
import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { Component, type ReactNode } from 'react';

interface Props {
  // Another place is tried anew.
  place: string;
  children: ReactNode;
}

export class PageBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate(before: Props) {
    if (before.place !== this.props.place && this.state.isBroken) this.setState({ isBroken: false });
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <div className="page">
        <MessageBar intent="error" layout="multiline" politeness="assertive">
          <MessageBarBody>
            This part of the page could not be shown. The server may have another version of the page by now.
          </MessageBarBody>
          <MessageBarActions>
            <Button onClick={() => location.reload()}>Load the page again</Button>
          </MessageBarActions>
        </MessageBar>
      </div>
    );
  }
}
