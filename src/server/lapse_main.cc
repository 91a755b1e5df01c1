#include <iostream>

#include "server/client/commands.h"

int main(int argc, char** argv) {
  return lapse::server::client::RunCommand(argc, argv, lapse::server::ProcessEnvironment(), std::cout, std::cerr);
}
